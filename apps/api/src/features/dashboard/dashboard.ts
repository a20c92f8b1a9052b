import { accountStates, hostStates, limits } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { readMarks } from '../../jobs/marks.store.ts'
import { dollars } from '../credit/credit.ts'
import { countHosts } from '../hosts/hosts.ts'
import { lastFailures } from '../provisioning/provisioning.ts'
import { countAccounts, readTotals } from './dashboard.store.ts'

const filled = <Key extends string>(keys: readonly Key[], counts: Partial<Record<Key, number>>) =>
  Object.fromEntries(keys.map((key) => [key, counts[key] ?? 0])) as Record<Key, number>

export async function dashboard(ctx: Context) {
  const { db } = ctx
  const [totals, accounts, servers, tunnels, failures, marks] = await Promise.all([
    readTotals(db, limits.adminLevelAbove),
    countAccounts(db, ctx.clock.now()),
    countHosts(db, 'server'),
    countHosts(db, 'tunnel'),
    lastFailures(db, 5),
    readMarks(db),
  ])
  const ledger = marks.get('ledger')
  return {
    users: totals.users,
    administrators: totals.administrators,
    accounts: filled(accountStates, accounts),
    servers: filled(hostStates, servers.byState),
    serverCapacity: servers.capacity,
    serverAccounts: servers.accounts,
    tunnels: filled(hostStates, tunnels.byState),
    tunnelCapacity: tunnels.capacity,
    tunnelAccounts: tunnels.accounts,
    totalCredit: totals.points,
    totalTunnelCredit: totals.tunnel_credit,
    totalDebt: dollars(totals.debt_cents),
    lastFailures: failures.map((failure) => ({
      subject: failure.subject,
      uuid: failure.uuid,
      name: failure.name,
      failedDate: failure.failed_at.toISOString(),
      lastLine: failure.last_line,
    })),
    lastExpiryDate: marks.get('expiry')?.succeededAt.toISOString() ?? null,
    lastLedgerCheckDate: ledger?.succeededAt.toISOString() ?? null,
    ledgerIsSound: ledger ? ledger.outcome.findings === 0 : null,
  }
}
