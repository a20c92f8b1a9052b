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

export const machineHeaders = (
  account: SubscriptionAccount,
  brand: Brand,
  pageUrl: string,
  usage: Usage | null,
): Record<string, string> => {
  const title = cleanText(`${brand.name} ${nameOf(account)}`)
  const upload = count(usage?.upload ?? 0)
  const download = count(usage?.download ?? 0)
  const expire = count(account.accountExpireDate.getTime() / 1000)
  const support = contactUrl(brand.contact)
  return {
    'subscription-userinfo': `upload=${upload}; download=${download}; total=0; expire=${expire}`,
    'profile-title': `base64:${toBase64(title)}`,
    'profile-update-interval': '12',
    ...(support === null ? {} : { 'support-url': support }),
    'profile-web-page-url': new URL(pageUrl).href,
    'content-disposition': `attachment; filename="${fileName(title)}"`,
  }
}
