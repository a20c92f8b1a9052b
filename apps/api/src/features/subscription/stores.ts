import { appsOf, type ImportApp, type System, type VpnType } from '@kelid/contract'

/** Under which names a store lists apps. */
type Names = Partial<Record<ImportApp, string>>

const named = (...apps: ImportApp[]): Names => Object.fromEntries(apps.map((app) => [app, app]))

const phoneNames = {
  ...named('v2RayTun', 'INCY', 'OneXray'),
  Happ: 'Happ - Proxy Utility',
  V2Box: 'V2Box - V2ray Client',
}
const appleNames = { ...phoneNames, 'sing-box': 'sing-box VT' }
const desktopNames = {
  ...named('Hiddify', 'Karing', 'FlClash', 'Clash Mi', 'Koala Clash', 'Prizrak-Box', 'FlClashX'),
  ...named('Throne', 'v2rayN', 'Flowvy'),
  'Clash Verge': 'Clash Verge Rev',
}
const otherNames = named('Happ', 'INCY', 'OneXray')

/** GitHub and other sites stand for the developers' own pages. */
const storesOfSystem: Record<System, Record<string, Names>> = {
  android: {
    'Google Play': { ...named('v2rayNG', 'Hiddify', 'sing-box'), ...phoneNames },
    GitHub: { ...named('Karing', 'FlClash', 'Clash Mi', 'FlClashX'), 'Clash Meta': 'Clash Meta for Android' },
  },
  ios: {
    'App Store': {
      ...named('Streisand', 'Karing', 'Shadowrocket', 'Clash Mi'),
      ...appleNames,
      Hiddify: 'Hiddify Proxy & VPN',
    },
  },
  windows: { GitHub: { ...desktopNames, ...otherNames }, 'v2raytun.com': named('v2RayTun') },
  macos: { 'App Store': appleNames, GitHub: desktopNames },
  linux: { GitHub: { ...desktopNames, ...otherNames } },
}

/** Only apps that can use one of the types. */
export const storesOf = (system: System, vpnTypes: readonly VpnType[]) =>
  Object.entries(storesOfSystem[system])
    .map(([store, names]) => ({
      store,
      names: appsOf(system, vpnTypes).flatMap((app) => names[app] ?? []),
    }))
    .filter(({ names }) => names.length > 0)
