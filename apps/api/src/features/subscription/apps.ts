import { encodePart, toUrlBase64 } from './encode.ts'

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

export type App = keyof typeof deepLinks
export type System = 'android' | 'ios' | 'windows' | 'macos' | 'linux'

/** The first of each list is the one to recommend. */
export const appsOf: Record<System, readonly App[]> = {
  android: ['Hiddify', 'v2rayNG', 'Clash Meta', 'FlClash', 'sing-box'],
  ios: ['Streisand', 'Hiddify', 'Shadowrocket', 'sing-box'],
  windows: ['Hiddify', 'Clash Verge', 'FlClash'],
  macos: ['Hiddify', 'Clash Verge', 'FlClash', 'sing-box'],
  linux: ['Hiddify', 'Clash Verge', 'FlClash'],
}

export const systems = Object.keys(appsOf) as System[]

export const importLink = (app: App, url: string, name: string): string => deepLinks[app](url, name)

export const systemOf = (userAgent: string): System | null => {
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios'
  if (/windows/i.test(userAgent)) return 'windows'
  if (/macintosh|mac os/i.test(userAgent)) return 'macos'
  return /linux|x11/i.test(userAgent) ? 'linux' : null
}
