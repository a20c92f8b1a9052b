import { type Finding, findingKinds, patterns, phonePart, toLatinDigits } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { readAddress } from '../../lib/addresses.ts'
import { hashOf } from '../../lib/tokens.ts'
import { hasVpnSecret } from '../accounts/accounts.ts'
import { hostOf, type ImportLink, importLinkIn, subscriptionSecretIn } from './pasted-links.ts'
import * as store from './search.store.ts'

const maxResults = 20
/** The secrets are sealed, so likely accounts are opened one by one, up to this limit. */
const maxOpenedAccounts = 2_000
const behindAccounts = 3

export async function search(ctx: Context, text: string): Promise<{ items: Finding[] }> {
  const results = await findingsFor(ctx, toLatinDigits(text.trim()))
  return { items: rank(results).map(({ kind, id, title, detail }) => ({ kind, id, title, detail })) }
}

function findingsFor(ctx: Context, text: string): Promise<store.SearchResult[]> {
  const secret = subscriptionSecretIn(text)
  if (secret) return store.accountsByLink(ctx.db, hashOf(secret))
  const link = importLinkIn(text)
  if (link) return byImportLink(ctx, link)
  if (patterns.uuid.test(text)) return store.byUuid(ctx.db, text.toLowerCase())
  return byText(ctx, hostOf(text))
}

async function byText({ db }: Context, text: string): Promise<store.SearchResult[]> {
  const address = readAddress(text)
  const digits = phonePart(text)
  const results = await Promise.all([
    store.usersByEmail(db, text, maxResults),
    store.accountsByName(db, text, maxResults),
    store.hostsByText(db, 'server', text, maxResults),
    store.hostsByText(db, 'tunnel', text, maxResults),
    ...(digits ? [store.usersByPhone(db, digits, maxResults)] : []),
    ...(address?.includes(':') ? [byIpv6(db, address)] : []),
  ])
  return results.flat()
}

async function byIpv6(db: Context['db'], address: string): Promise<store.SearchResult[]> {
  return (await store.hostsWithIpv6(db)).filter(({ ipv6 }) => readAddress(ipv6) === address)
}

/** The account with this secret; otherwise those with its name at its host, and the host. */
async function byImportLink(
  ctx: Context,
  { secret, address, name }: ImportLink,
): Promise<store.SearchResult[]> {
  const candidates = await store.accountsLike(ctx.db, { name, address }, maxOpenedAccounts)
  const account = candidates.find((candidate) => hasVpnSecret(ctx, candidate, secret))
  if (account) return [account]
  const hosts = await Promise.all([
    store.hostsByText(ctx.db, 'server', address, maxResults),
    store.hostsByText(ctx.db, 'tunnel', address, maxResults),
  ])
  const itsHosts = hosts.flat().filter(({ rank }) => rank === 0)
  return [
    ...candidates.filter(({ title }) => title === name),
    ...itsHosts.map((host) => ({ ...host, rank: behindAccounts })),
  ]
}

/** Best rank first; equal ranks alternate between kinds, so that none crowds out another. */
function rank(results: readonly store.SearchResult[]): store.SearchResult[] {
  const best = new Map<string, store.SearchResult>()
  for (const result of results) {
    const key = `${result.kind} ${result.id}`
    if ((best.get(key)?.rank ?? Number.POSITIVE_INFINITY) > result.rank) best.set(key, result)
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
    .slice(0, maxResults)
    .map(({ one }) => one)
}
