import { type Engine, type VpnType, vpnCatalogue } from '@kelid/contract'
import { clashConfig, clashNotice } from './clash.ts'
import { entriesOf, type FileFacts, linkOf, type SubscriptionAccount } from './links.ts'
import { noticeLink } from './notice.ts'
import { toBase64 } from './plain-text.ts'
import { singBoxConfig, singBoxNotice } from './sing-box.ts'
import { xrayConfigs, xrayNotice } from './xray.ts'

interface MachineFormat {
  readonly contentType: string
  /** Of the apps that ask for it. */
  readonly engine: Engine
  /** At least one way, the preferred one first. */
  readonly write: (ways: readonly SubscriptionAccount[], file: FileFacts) => string
  /** For an account that cannot connect: one entry that leads nowhere and has this name. */
  readonly writeNotice: (notice: string) => string
}

export const machineFormats = {
  clash: {
    contentType: 'text/yaml; charset=utf-8',
    engine: 'mihomo',
    write: clashConfig,
    writeNotice: clashNotice,
  },
  'sing-box': {
    contentType: 'application/json; charset=utf-8',
    engine: 'sing-box',
    write: singBoxConfig,
    writeNotice: singBoxNotice,
  },
  xray: {
    contentType: 'application/json; charset=utf-8',
    engine: 'xray',
    write: xrayConfigs,
    writeNotice: xrayNotice,
  },
  links: {
    contentType: 'text/plain; charset=utf-8',
    engine: 'xray',
    write: (ways) => toBase64(ways.flatMap(entriesOf).map(linkOf).join('\n')),
    writeNotice: (notice) => toBase64(noticeLink(notice)),
  },
} as const satisfies Record<string, MachineFormat>

export const wantsPage = (accept = ''): boolean => accept.toLowerCase().includes('text/html')

type Format = keyof typeof machineFormats

const isFormat = (name: string): name is Format => Object.hasOwn(machineFormats, name)

/** Apps that read Xray's JSON from a subscription, and since which version. */
const xrayReaders: Readonly<Record<string, string>> = {
  v2rayn: '6.40',
  v2rayng: '1.8.29',
  happ: '1.63.1',
  streisand: '0',
}

const readsXray = (userAgent: string): boolean => {
  const [, app = '', version = ''] = /^([a-z0-9]+)\/([0-9.]+)/i.exec(userAgent) ?? []
  const since = Object.hasOwn(xrayReaders, app.toLowerCase()) ? xrayReaders[app.toLowerCase()] : undefined
  return since !== undefined && version.localeCompare(since, 'en', { numeric: true }) >= 0
}

/** Links leave customers more of their app's settings, but no app changes among links by itself. Older cores have no hysteria. */
const gainsByXray = (vpnTypes: readonly VpnType[]): boolean =>
  vpnTypes.length > 1 && vpnTypes.every((vpnType) => vpnCatalogue[vpnType].protocol !== 'hysteria')

/** `wanted` is what the address asks for; `vpnTypes` has one for each way. */
export const chooseFormat = (
  accept = '',
  userAgent = '',
  wanted = '',
  vpnTypes: readonly VpnType[] = [],
): Format | 'page' => {
  if (isFormat(wanted)) return wanted
  if (wantsPage(accept) || /^(telegrambot|whatsapp)/i.test(userAgent)) return 'page'
  if (/^(flclash|flowvy|murge|mihomo|prizrak-box|koala-clash|clash|stash)/i.test(userAgent)) return 'clash'
  if (/^(sfa|sfi|sfm|sft|karing|hiddifynext|singbox|sing-box)/i.test(userAgent)) return 'sing-box'
  return readsXray(userAgent) && gainsByXray(vpnTypes) ? 'xray' : 'links'
}
