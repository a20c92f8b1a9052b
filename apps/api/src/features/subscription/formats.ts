import { clashConfig } from './clash.ts'
import { entriesOf, linkOf, type SubscriptionAccount } from './links.ts'
import { toBase64 } from './plain-text.ts'
import { singBoxConfig } from './sing-box.ts'

interface MachineFormat {
  readonly contentType: string
  /** null is an account that may not connect: the list is then empty. `authority` is PEM. */
  readonly write: (account: SubscriptionAccount | null, authority: string | null) => string
}

export const machineFormats = {
  clash: { contentType: 'text/yaml; charset=utf-8', write: clashConfig },
  'sing-box': { contentType: 'application/json; charset=utf-8', write: singBoxConfig },
  links: {
    contentType: 'text/plain; charset=utf-8',
    write: (account) => (account ? toBase64(entriesOf(account).map(linkOf).join('\n')) : ''),
  },
} as const satisfies Record<string, MachineFormat>

export const wantsPage = (accept = ''): boolean => accept.toLowerCase().includes('text/html')

export const chooseFormat = (accept = '', userAgent = ''): keyof typeof machineFormats | 'page' => {
  if (wantsPage(accept)) return 'page'
  if (/^(flclash|mihomo|clash|stash)/i.test(userAgent)) return 'clash'
  if (/^(sfa|sfi|sfm|sft|karing|hiddifynext|singbox|sing-box)/i.test(userAgent)) return 'sing-box'
  return 'links'
}
