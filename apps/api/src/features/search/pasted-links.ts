import { linkSchemes } from '../vpn-types/vpn-types.ts'

/** Accepts any host name, because the product may have moved since the link was created. */
export const subscriptionSecretIn = (text: string): string | null =>
  /\/sub\/([A-Za-z0-9_-]{22})(?![A-Za-z0-9_-])/.exec(text)?.[1] ?? null

export interface ImportLink {
  secret: string
  address: string
  /** The account's name, unless the user renamed it in the app. */
  name: string
}

const linkStart = new RegExp(`^(?:${linkSchemes.join('|')})://`, 'i')

export function importLinkIn(text: string): ImportLink | null {
  if (!linkStart.test(text) || !URL.canParse(text)) return null
  const { username, hostname, hash } = new URL(text)
  return { secret: decode(username), address: hostname, name: decode(hash.slice(1)) }
}

export const hostOf = (text: string): string =>
  /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).hostname : text

/** PostgreSQL rejects NUL, so such text stays encoded. */
function decode(part: string): string {
  try {
    const text = decodeURIComponent(part)
    return text.includes('\0') ? part : text
  } catch {
    return part
  }
}
