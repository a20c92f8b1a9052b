import { type Brand, contactUrl } from './contact.ts'
import { nameOf, type SubscriptionAccount } from './links.ts'
import { cleanText, toBase64 } from './plain-text.ts'

export interface Usage {
  upload: number
  download: number
}

const count = (value: number): number => (Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0)

/** Apps show it as the profile's name, so it has no extension. */
const fileName = (title: string): string =>
  title
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '') || 'subscription'

/** Apps subtract both directions from the total, so with a limit they must be of the same period. */
const volumeOf = ({ data }: SubscriptionAccount, usage: Usage | null) =>
  data
    ? { upload: 0, download: count(data.used), total: count(data.bytes) }
    : { upload: count(usage?.upload ?? 0), download: count(usage?.download ?? 0), total: 0 }

export const machineHeaders = (
  account: SubscriptionAccount,
  brand: Brand,
  pageUrl: string,
  usage: Usage | null,
): Record<string, string> => {
  const title = cleanText(`${brand.name} ${nameOf(account)}`)
  const { upload, download, total } = volumeOf(account, usage)
  const expire = count(account.accountExpireDate.getTime() / 1000)
  const support = contactUrl(brand.contact)
  return {
    'subscription-userinfo': `upload=${upload}; download=${download}; total=${total}; expire=${expire}`,
    'profile-title': `base64:${toBase64(title)}`,
    'profile-update-interval': '12',
    ...(support === null ? {} : { 'support-url': support }),
    'profile-web-page-url': new URL(pageUrl).href,
    'content-disposition': `attachment; filename="${fileName(title)}"`,
  }
}
