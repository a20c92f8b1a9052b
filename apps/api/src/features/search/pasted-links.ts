import { linkSchemes } from '../vpn-types/vpn-types.ts'

/** The secret of a subscription link, at whatever host: that is where the product was when the link was handed over. */
export const subscriptionSecretIn = (text: string): string | null =>
  /\/sub\/([A-Za-z0-9_-]{22})(?![A-Za-z0-9_-])/.exec(text)?.[1] ?? null

export interface ImportLink {
  secret: string
  /** Where it leads: a tunnel's or a server's IPv4. */
  address: string
  /** The account's, unless whoever uses it has named it anew. */
  name: string
}

const linkStart = new RegExp(`^(?:${linkSchemes.join('|')})://`, 'i')

/** The parts of a link that client apps import; null for any other text. */
export function importLinkIn(text: string): ImportLink | null {
  if (!linkStart.test(text) || !URL.canParse(text)) return null
  const { username, hostname, hash } = new URL(text)
  return { secret: decoded(username), address: hostname, name: decoded(hash.slice(1)) }
}

/** What stands for the host in the address of a page; other text as it is. */
export const hostOf = (text: string): string =>
  /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).hostname : text

/** As it stands where it is no text: the database takes no NUL. */
function decoded(part: string): string {
  try {
    const text = decodeURIComponent(part)
    return text.includes('\0') ? part : text
  } catch {
    return part
  }
}
