import { accountStates, day, debtAges, hostStates, limits } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { readMarks } from '../../jobs/marks.store.ts'
import { lateJobs } from '../../jobs/regular.ts'
import { dollars } from '../../lib/money.ts'
import { isAuditSound } from '../audit/audit.ts'
import { countUnwell } from '../health/health.ts'
import { countHosts, endingServers, roomsByType } from '../hosts/hosts.ts'
import { tightQuotas } from '../hosts/quotas.ts'
import { failingHosts } from '../hosts/retries.ts'
import { hostAlerts, hostTroubles, refusingHosts, strangeAuthorities } from '../nodes/nodes.ts'
import { lastFailures } from '../provisioning/provisioning.ts'
import { openReplacements, replaceableHosts } from '../replacements/replacements.ts'
import { targetTroubles } from '../servers/servers.ts'
import { debtByAge } from '../users/users.ts'
import { soldByDay } from './activity.store.ts'
import { firstOf } from './activity.ts'
import { countAccounts, readTotals } from './dashboard.store.ts'

const withZeros = <Key extends string>(keys: readonly Key[], counts: Partial<Record<Key, number>>) =>
  Object.fromEntries(keys.map((key) => [key, counts[key] ?? 0])) as Record<Key, number>

export async function dashboard(ctx: Context) {
  const { db } = ctx
  const now = ctx.clock.now()
  const [totals, accounts, servers, tunnels, failures, marks] = await Promise.all([
    readTotals(db, limits.adminLevelAbove),
    countAccounts(db, now),
    countHosts(db, 'server'),
    countHosts(db, 'tunnel'),
    lastFailures(db, 5),
    readMarks(db),
  ])
  const [
    failing,
    unwell,
    refusing,
    alerts,
    troubles,
    strange,
    ending,
    targets,
    rooms,
    sold,
    debts,
    auditIsSound,
  ] = await Promise.all([
    failingHosts(db),
    countUnwell(db, now),
    refusingHosts(db),
    hostAlerts(db, now),
    hostTroubles(db),
    strangeAuthorities(db, now),
    endingServers(db, new Date(now.getTime() + 14 * day).toISOString().slice(0, 10)),
    targetTroubles(db),
    roomsByType(db),
    soldByDay(db, firstOf(now)),
    debtByAge(db, now),
    isAuditSound(ctx, marks),
  ])
  const [replacements, replaceable, quotas] = await Promise.all([
    openReplacements(db),
    replaceableHosts(db, now),
    tightQuotas(db, now),
  ])
  const ledger = marks.get('ledger')
  return {
    users: totals.users,
    administrators: totals.administrators,
    accounts: withZeros(accountStates, accounts),
    servers: withZeros(hostStates, servers.byState),
    serverCapacity: servers.capacity,
    serverAccounts: servers.accounts,
    tunnels: withZeros(hostStates, tunnels.byState),
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
      state: failure.state,
      retryDate: failure.retry_at?.toISOString() ?? null,
    })),
    lastExpiryDate: marks.get('expiry')?.succeededAt.toISOString() ?? null,
    lastLedgerCheckDate: ledger?.succeededAt.toISOString() ?? null,
    ledgerIsSound: ledger ? ledger.outcome.findings === 0 : null,
    ledgerFindings: ledger?.outcome.findings ?? 0,
    auditIsSound,
    lastAuditCheckDate: marks.get('audit')?.succeededAt.toISOString() ?? null,
    failingRuns: failing.length,
    downServers: unwell.server.down,
    silentServers: unwell.server.silent,
    downTunnels: unwell.tunnel.down,
    silentTunnels: unwell.tunnel.silent,
    refusingHosts: refusing.map(({ kind, since, refused, ...host }) => ({
      ...host,
      subject: kind,
      refusedList: refused,
      sinceDate: since.toISOString(),
    })),
    hostAlerts: alerts,
    hostTroubles: troubles,
    replacements,
    replaceableHosts: replaceable,
    strangeAuthorities: strange.map(({ lastAt, ...rest }) => ({ ...rest, lastDate: lastAt.toISOString() })),
    endingServers: ending,
    tightQuotas: quotas,
    targetTroubles: targets,
    lateJobs: lateJobs(marks, totals.since, now).map(({ name, succeededAt }) => ({
      name,
      lastSuccessDate: succeededAt?.toISOString() ?? null,
    })),
    rooms,
    pointsSold: sold.reduce((sum, { points }) => sum + points, 0),
    debtByAge: debtAges.map((age) => {
      const debtRow = debts.find((row) => row.age === age)
      return { age, users: debtRow?.users ?? 0, debt: dollars(debtRow?.cents ?? 0) }
    }),
  }
}
