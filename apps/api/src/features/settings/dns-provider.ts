import { isIP } from 'node:net'
import { type DnsProvider, readDnsCredentials } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { refuseForbiddenTarget } from '../../lib/forbidden-targets.ts'
import { type Actor, record } from '../audit/audit.ts'
import { findDnsProvider, forgetFailedIssuances, writeDnsProvider } from './dns-provider.store.ts'

const location = 'dns_provider.sealed.1'

export async function dnsProviderInUse(db: Db) {
  const row = await findDnsProvider(db)
  return { dnsProvider: row?.provider ?? '', dnsVariables: row?.variables ?? [] }
}

export interface DnsCredentials {
  provider: string
  variables: Record<string, string>
}

export async function dnsCredentials(ctx: Context): Promise<DnsCredentials | null> {
  const row = await findDnsProvider(ctx.db)
  return row ? { provider: row.provider, variables: JSON.parse(ctx.seal.open(location, row.sealed)) } : null
}

export async function changeDnsProvider(
  ctx: Context,
  by: Actor,
  { dnsProvider: provider, dnsCredentials }: { dnsProvider: DnsProvider; dnsCredentials: string },
) {
  const credentials = readDnsCredentials(provider, dnsCredentials) ?? new Map<string, string>()
  for (const value of credentials.values()) refuseForbiddenHost(ctx, value)
  const variables = [...credentials.keys()]
  const sealed = ctx.seal.close(location, JSON.stringify(Object.fromEntries(credentials)))
  await ctx.atomically(async (tx) => {
    const before = await dnsProviderInUse(tx)
    await writeDnsProvider(tx, { provider, variables, sealed, updated_at: ctx.clock.now() })
    await forgetFailedIssuances(tx)
    await record(ctx, tx, by, 'setdnsprovider', 'settings', {
      from: before.dnsProvider,
      to: provider,
      replacedSecrets: variables.join(' '),
    })
  })
  return dnsProviderInUse(ctx.db)
}

/** lego connects to addresses among the values, and this machine may reach more than an administrator. */
function refuseForbiddenHost(ctx: Context, value: string): void {
  const host = URL.canParse(value) ? new URL(value).hostname : value.replace(/:\d+$/, '')
  const plain = host.replace(/^\[|\]$/g, '')
  if (isIP(plain) || plain === 'localhost') refuseForbiddenTarget(ctx, plain)
}
