import { type VpnType, vpnCatalogue } from './vpn-catalogue.ts'

/** encodeURIComponent does not escape !'()*, and chat apps end a link at a bracket or a quote. */
export const encodePart = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const toBase64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const toUrlBase64 = (text: string): string =>
  toBase64(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** What an app connects with. */
export type Engine = 'xray' | 'sing-box' | 'mihomo'

const unknownTransports: Record<Engine, readonly string[]> = { xray: [], 'sing-box': ['xhttp'], mihomo: [] }

export const isUnderstoodBy = (engine: Engine, vpnType: VpnType): boolean =>
  !unknownTransports[engine].includes(vpnCatalogue[vpnType].transport)

type DeepLink = (url: string, name: string) => string

const installConfig =
  (scheme: string): DeepLink =>
  (url, name) =>
    `${scheme}://install-config?url=${encodePart(url)}&name=${encodePart(name)}`

const clash = installConfig('clash')

interface App {
  readonly engine: Engine
  /** null: nothing opens the app, so customers paste the subscription's address. */
  readonly link: DeepLink | null
}

const apps = {
  Hiddify: { engine: 'sing-box', link: (url, name) => `hiddify://import/${url}#${encodePart(name)}` },
  v2rayNG: {
    engine: 'xray',
    // Older versions read the name from the query, newer ones from the fragment.
    link: (url, name) =>
      `v2rayng://install-sub?url=${encodePart(url)}&name=${encodePart(name)}#${encodePart(name)}`,
  },
  Happ: { engine: 'xray', link: (url) => `happ://add/${url}` },
  V2Box: {
    engine: 'xray',
    link: (url, name) => `v2box://install-sub?url=${encodePart(url)}&name=${encodePart(name)}`,
  },
  Karing: { engine: 'sing-box', link: installConfig('karing') },
  FlClash: { engine: 'mihomo', link: clash },
  'Clash Meta': { engine: 'mihomo', link: clash },
  'Clash Verge': { engine: 'mihomo', link: clash },
  'sing-box': {
    engine: 'sing-box',
    link: (url, name) => `sing-box://import-remote-profile?url=${encodePart(url)}#${encodePart(name)}`,
  },
  Streisand: { engine: 'xray', link: (url, name) => `streisand://import/${url}#${encodePart(name)}` },
  Shadowrocket: {
    // Its own engine reads the same links.
    engine: 'xray',
    link: (url, name) => `shadowrocket://add/sub://${toUrlBase64(url)}?remark=${encodePart(name)}`,
  },
  v2rayN: { engine: 'xray', link: null },
  v2RayTun: { engine: 'xray', link: (url) => `v2raytun://import/${url}` },
  INCY: { engine: 'xray', link: (url) => `incy://add/${url}` },
  OneXray: {
    engine: 'xray',
    link: (url, name) => `onexray://onexray.com/sub/add?url=${encodePart(url)}#${encodePart(name)}`,
  },
  'Clash Mi': { engine: 'mihomo', link: installConfig('clashmi') },
  'Koala Clash': { engine: 'mihomo', link: installConfig('koala-clash') },
  'Prizrak-Box': { engine: 'mihomo', link: installConfig('prizrak-box') },
  Flowvy: { engine: 'mihomo', link: null },
  FlClashX: { engine: 'mihomo', link: installConfig('flclashx') },
  Throne: {
    engine: 'sing-box',
    // It takes no URL-safe base64.
    link: (url, name) => `throne://addsub/${toBase64(`${url}#${encodePart(name)}`)}`,
  },
} satisfies Record<string, App>

export type ImportApp = keyof typeof apps

export const importApps = Object.keys(apps) as readonly ImportApp[]

export const systems = ['android', 'ios', 'windows', 'macos', 'linux'] as const
export type System = (typeof systems)[number]

const appsOfSystem: Record<System, readonly ImportApp[]> = {
  android: ['Hiddify', 'v2rayNG', 'Happ', 'V2Box', 'Karing', 'Clash Meta', 'FlClash', 'sing-box'],
  ios: ['Streisand', 'Hiddify', 'Happ', 'V2Box', 'Karing', 'Shadowrocket', 'sing-box'],
  windows: ['Hiddify', 'Happ', 'Karing', 'Clash Verge', 'FlClash'],
  macos: ['Hiddify', 'V2Box', 'Happ', 'Karing', 'Clash Verge', 'FlClash', 'sing-box'],
  linux: ['Hiddify', 'Happ', 'Karing', 'Clash Verge', 'FlClash'],
}

const desktopApps = ['Koala Clash', 'Prizrak-Box', 'FlClashX', 'Throne', 'v2rayN', 'Flowvy'] as const

/** Listed after the others. */
const moreAppsOfSystem: Record<System, readonly ImportApp[]> = {
  android: ['v2RayTun', 'INCY', 'OneXray', 'Clash Mi', 'FlClashX'],
  ios: ['v2RayTun', 'INCY', 'OneXray', 'Clash Mi'],
  windows: ['v2RayTun', 'INCY', 'OneXray', 'Clash Mi', ...desktopApps],
  macos: ['v2RayTun', 'INCY', 'OneXray', 'Clash Mi', ...desktopApps],
  linux: ['INCY', 'OneXray', 'Clash Mi', ...desktopApps],
}

const knows = (app: ImportApp, vpnType: VpnType) => isUnderstoodBy(apps[app].engine, vpnType)

/** Apps that can use at least one of the types. */
export const appsOf = (system: System, vpnTypes: readonly VpnType[]): readonly ImportApp[] =>
  [...appsOfSystem[system], ...moreAppsOfSystem[system]].filter((app) =>
    vpnTypes.some((vpnType) => knows(app, vpnType)),
  )

/** Apps that can use none of the types. */
export const appsWithout = (vpnTypes: readonly VpnType[]): readonly ImportApp[] =>
  importApps.filter((app) => !vpnTypes.some((vpnType) => knows(app, vpnType)))

/** null for an app that no link opens. */
export const importLink = (app: ImportApp, url: string, name: string): string | null =>
  apps[app].link?.(url, name) ?? null

/** Defaults to Android, which most customers use. */
export const systemOf = (userAgent: string): System => {
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios'
  if (/windows/i.test(userAgent)) return 'windows'
  if (/macintosh|mac os/i.test(userAgent)) return 'macos'
  return /linux|x11/i.test(userAgent) ? 'linux' : 'android'
}
