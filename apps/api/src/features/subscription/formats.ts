import type { Engine } from '@kelid/contract'
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

/** `wanted` is what the address asks for. */
export const chooseFormat = (accept = '', userAgent = '', wanted = ''): Format | 'page' => {
  if (isFormat(wanted)) return wanted
  if (wantsPage(accept)) return 'page'
  if (/^(flclash|mihomo|clash|stash)/i.test(userAgent)) return 'clash'
  if (/^(sfa|sfi|sfm|sft|karing|hiddifynext|singbox|sing-box)/i.test(userAgent)) return 'sing-box'
  return 'links'
}
