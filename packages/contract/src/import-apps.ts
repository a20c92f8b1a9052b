import { type VpnType, vpnCatalogue } from './vpn-catalogue.ts'

/** encodeURIComponent does not escape !'()*, and chat apps end a link at a bracket or a quote. */
export const encodePart = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const toUrlBase64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** What an app connects with. */
export type Engine = 'xray' | 'sing-box' | 'mihomo'

const unknownTransports: Record<Engine, readonly string[]> = { xray: [], 'sing-box': ['xhttp'], mihomo: [] }

export const isUnderstoodBy = (engine: Engine, vpnType: VpnType): boolean =>
  !unknownTransports[engine].includes(vpnCatalogue[vpnType].transport)

type DeepLink = (url: string, name: string) => string

const clash: DeepLink = (url, name) =>
  `clash://install-config?url=${encodePart(url)}&name=${encodePart(name)}`

interface App {
  readonly engine: Engine
  readonly link: DeepLink
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
  Karing: {
    engine: 'sing-box',
    link: (url, name) => `karing://install-config?url=${encodePart(url)}&name=${encodePart(name)}`,
  },
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

const knows = (app: ImportApp, vpnType: VpnType) => isUnderstoodBy(apps[app].engine, vpnType)

/** Apps that can use at least one of the types. */
export const appsOf = (system: System, vpnTypes: readonly VpnType[]): readonly ImportApp[] =>
  appsOfSystem[system].filter((app) => vpnTypes.some((vpnType) => knows(app, vpnType)))

/** Apps that can use none of the types. */
export const appsWithout = (vpnTypes: readonly VpnType[]): readonly ImportApp[] =>
  importApps.filter((app) => !vpnTypes.some((vpnType) => knows(app, vpnType)))

export const importLink = (app: ImportApp, url: string, name: string): string => apps[app].link(url, name)

/** Defaults to Android, which most customers use. */
export const systemOf = (userAgent: string): System => {
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios'
  if (/windows/i.test(userAgent)) return 'windows'
  if (/macintosh|mac os/i.test(userAgent)) return 'macos'
  return /linux|x11/i.test(userAgent) ? 'linux' : 'android'
}
