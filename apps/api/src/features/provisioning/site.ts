import { isIPv4 } from 'node:net'
import type { Context } from '../../context.ts'
import { isForbiddenSite } from '../../lib/forbidden-targets.ts'
import { addressesOfHosts } from './description.store.ts'
import { siteLeftOut } from './sentences.ts'
import type { Subject } from './subject.ts'

const atMost = 4

interface SitePart {
  /** nginx gets addresses, because it would not start with a name that it cannot resolve. */
  site: { name: string; addresses: string[] } | null
  note: string
}

/** The site of others that the host fetches for strangers. Without an address the host shows its own. */
export async function sitePart(ctx: Context, subject: Subject): Promise<SitePart> {
  const name = subject.kind === 'server' ? (subject.row.details.serverSite ?? '') : subject.row.site
  if (name === '') return { site: null, note: '' }
  const found = await ctx.resolve(name)
  // Two hosts that show each other's site would ask each other for ever.
  const ours = await addressesOfHosts(ctx.db)
  const allowed = found.filter((address) => !isForbiddenSite(ctx, address) && !ours.has(address))
  // Not every host has IPv6.
  const byIPv4 = allowed.filter((address) => isIPv4(address))
  const addresses = (byIPv4.length > 0 ? byIPv4 : allowed).slice(0, atMost)
  if (addresses.length > 0) return { site: { name, addresses }, note: '' }
  return { site: null, note: siteLeftOut(name, found) }
}
