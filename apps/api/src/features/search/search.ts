import { type Finding, findingKinds, patterns, phonePart, toLatinDigits } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { readAddress } from '../../lib/addresses.ts'
import { hashOf } from '../../lib/tokens.ts'
import { hasVpnSecret } from '../accounts/accounts.ts'
import { hostOf, type ImportLink, importLinkIn, subscriptionSecretIn } from './pasted-links.ts'
import * as store from './search.store.ts'

const shown = 20
/** The secrets are sealed, so likely accounts are opened one by one, up to this limit. */
const opened = 2_000
const behindAccounts = 3

export async function search(ctx: Context, text: string): Promise<{ items: Finding[] }> {
  const found = await findingsFor(ctx, toLatinDigits(text.trim()))
  return { items: ranked(found).map(({ kind, id, title, detail }) => ({ kind, id, title, detail })) }
}

function findingsFor(ctx: Context, text: string): Promise<store.Found[]> {
  const secret = subscriptionSecretIn(text)
  if (secret) return store.accountsByLink(ctx.db, hashOf(secret))
  const link = importLinkIn(text)
  if (link) return byImportLink(ctx, link)
  if (patterns.uuid.test(text)) return store.byUuid(ctx.db, text.toLowerCase())
  return byText(ctx, hostOf(text))
}

async function byText({ db }: Context, text: string): Promise<store.Found[]> {
  const address = readAddress(text)
  const digits = phonePart(text)
  const found = await Promise.all([
    store.usersByEmail(db, text, shown),
    store.accountsByName(db, text, shown),
    store.hostsByText(db, 'server', text, shown),
    store.hostsByText(db, 'tunnel', text, shown),
    ...(digits ? [store.usersByPhone(db, digits, shown)] : []),
    ...(address?.includes(':') ? [byIpv6(db, address)] : []),
  ])
  return found.flat()
}

async function byIpv6(db: Context['db'], address: string): Promise<store.Found[]> {
  return (await store.serversWithIpv6(db)).filter(({ ipv6 }) => readAddress(ipv6) === address)
}

/** The account with this secret; otherwise those with its name at its host, and the host. */
async function byImportLink(ctx: Context, { secret, address, name }: ImportLink): Promise<store.Found[]> {
  const candidates = await store.accountsLike(ctx.db, { name, address }, opened)
  const own = candidates.find((candidate) => hasVpnSecret(ctx, candidate, secret))
  if (own) return [own]
  const hosts = await Promise.all([
    store.hostsByText(ctx.db, 'server', address, shown),
    store.hostsByText(ctx.db, 'tunnel', address, shown),
  ])
  const itsHosts = hosts.flat().filter(({ rank }) => rank === 0)
  return [
    ...candidates.filter(({ title }) => title === name),
    ...itsHosts.map((host) => ({ ...host, rank: behindAccounts })),
  ]
}

/** Best rank first; equal ranks alternate between kinds, so that none crowds out another. */
function ranked(found: readonly store.Found[]): store.Found[] {
  const best = new Map<string, store.Found>()
  for (const one of found) {
    const key = `${one.kind} ${one.id}`
    if ((best.get(key)?.rank ?? Number.POSITIVE_INFINITY) > one.rank) best.set(key, one)
  }
  const turns = new Map<string, number>()
  return [...best.values()]
    .sort((a, b) => a.rank - b.rank || a.title.length - b.title.length || (a.title < b.title ? -1 : 1))
    .map((one) => {
      const group = `${one.rank} ${one.kind}`
      const turn = turns.get(group) ?? 0
      turns.set(group, turn + 1)
      return { one, turn }
    })
    .sort(
      (a, b) =>
        a.one.rank - b.one.rank ||
        a.turn - b.turn ||
        findingKinds.indexOf(a.one.kind) - findingKinds.indexOf(b.one.kind),
    )
    .slice(0, shown)
    .map(({ one }) => one)
}
