import { day } from '@kelid/contract'
import type { Context } from '../context.ts'
import { expireAccounts } from '../features/accounts/expire.job.ts'
import { beginPeriods } from '../features/accounts/new-periods.job.ts'
import { checkAuditNow } from '../features/audit/audit.ts'
import { purgeSignIns } from '../features/auth/auth.ts'
import { purgeCertificates } from '../features/authority/authority.ts'
import { findImbalances } from '../features/credit/credit.ts'
import { purgeEvents } from '../features/events/events.ts'
import { probeHosts } from '../features/health/probe.job.ts'
import { countQuotas } from '../features/hosts/quotas.ts'
import { purgeKeys } from '../features/idempotency/idempotency.ts'
import { purgeRemovedHosts } from '../features/nodes/figures.ts'
import { purgeNews } from '../features/nodes/report.ts'
import { maintainRuns } from '../features/provisioning/provision.job.ts'
import { replaceWays } from '../features/replacements/replace.job.ts'
import { watchTargets } from '../features/servers/watch-targets.job.ts'
import { purgeCodes } from '../features/sms/sms.ts'
import { advanceRollout } from '../features/upgrades/rollout.ts'
import { purgeUsage } from '../features/usage/usage.ts'
import type { Mark } from './marks.store.ts'

export interface RegularJob {
  readonly name: string
  readonly cron: string
  readonly lateAfter: number
  readonly run: (ctx: Context) => Promise<Record<string, number>>
}

const minute = 60_000
const everyMinute = { cron: '* * * * *', lateAfter: 5 * minute }
const everyHour = { cron: '7 * * * *', lateAfter: 150 * minute }
const everyNight = { cron: '17 2 * * *', lateAfter: 2 * day }

/** Each job may run twice or late without harm. */
export const regularJobs: readonly RegularJob[] = [
  {
    name: 'expiry',
    ...everyMinute,
    run: async (ctx) => ({ noted: await expireAccounts(ctx) }),
  },
  { name: 'data', ...everyMinute, run: async (ctx) => ({ begun: await beginPeriods(ctx) }) },
  { name: 'probe', ...everyMinute, run: probeHosts },
  {
    name: 'ledger',
    ...everyHour,
    run: async (ctx) => {
      const findings = await findImbalances(ctx.db)
      for (const finding of findings) ctx.log.error({ finding }, 'the ledger does not add up')
      return { findings: findings.length }
    },
  },
  { name: 'runs', ...everyMinute, run: maintainRuns },
  { name: 'replacements', ...everyMinute, run: replaceWays },
  { name: 'quotas', ...everyMinute, run: async (ctx) => ({ changed: await countQuotas(ctx) }) },
  { name: 'rollout', ...everyMinute, run: async (ctx) => ({ begun: await advanceRollout(ctx) }) },
  { name: 'targets', ...everyHour, run: (ctx) => watchTargets(ctx) },
  { name: 'audit', ...everyNight, run: checkAuditNow },
  {
    name: 'purge',
    ...everyHour,
    run: async (ctx) => {
      await purgeKeys(ctx)
      await purgeSignIns(ctx)
      await purgeCodes(ctx)
      await purgeEvents(ctx)
      await purgeCertificates(ctx)
      await purgeNews(ctx)
      await purgeRemovedHosts(ctx)
      await purgeUsage(ctx)
      return {}
    },
  },
]

/** A job that never succeeded counts from the first start. */
export const lateJobs = (marks: ReadonlyMap<string, Mark>, since: Date, now: Date) =>
  regularJobs
    .map(({ name, lateAfter }) => ({ name, lateAfter, succeededAt: marks.get(name)?.succeededAt }))
    .filter(({ lateAfter, succeededAt = since }) => now.getTime() - succeededAt.getTime() > lateAfter)
