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

type DeepLink = (url: string, name: string) => string

const clash: DeepLink = (url, name) =>
  `clash://install-config?url=${encodePart(url)}&name=${encodePart(name)}`

const deepLinks = {
  Hiddify: (url, name) => `hiddify://import/${url}#${encodePart(name)}`,
  // Older versions read the name from the query, newer ones from the fragment.
  v2rayNG: (url, name) =>
    `v2rayng://install-sub?url=${encodePart(url)}&name=${encodePart(name)}#${encodePart(name)}`,
  FlClash: clash,
  'Clash Meta': clash,
  'Clash Verge': clash,
  'sing-box': (url, name) => `sing-box://import-remote-profile?url=${encodePart(url)}#${encodePart(name)}`,
  Streisand: (url, name) => `streisand://import/${url}#${encodePart(name)}`,
  Shadowrocket: (url, name) => `shadowrocket://add/sub://${toUrlBase64(url)}?remark=${encodePart(name)}`,
} satisfies Record<string, DeepLink>

export type ImportApp = keyof typeof deepLinks

export const importApps = Object.keys(deepLinks) as readonly ImportApp[]

export const systems = ['android', 'ios', 'windows', 'macos', 'linux'] as const
export type System = (typeof systems)[number]

export const appsOf: Record<System, readonly ImportApp[]> = {
  android: ['Hiddify', 'v2rayNG', 'Clash Meta', 'FlClash', 'sing-box'],
  ios: ['Streisand', 'Hiddify', 'Shadowrocket', 'sing-box'],
  windows: ['Hiddify', 'Clash Verge', 'FlClash'],
  macos: ['Hiddify', 'Clash Verge', 'FlClash', 'sing-box'],
  linux: ['Hiddify', 'Clash Verge', 'FlClash'],
}

export const importLink = (app: ImportApp, url: string, name: string): string => deepLinks[app](url, name)

/** Defaults to Android, which most customers use. */
export const systemOf = (userAgent: string): System => {
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios'
  if (/windows/i.test(userAgent)) return 'windows'
  if (/macintosh|mac os/i.test(userAgent)) return 'macos'
  return /linux|x11/i.test(userAgent) ? 'linux' : 'android'
}
