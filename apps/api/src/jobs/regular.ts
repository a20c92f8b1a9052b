import type { Context } from '../context.ts'
import { expireAccounts } from '../features/accounts/expire.job.ts'
import { purgeSignIns } from '../features/auth/auth.ts'
import { findImbalances } from '../features/credit/credit.ts'
import { purgeEvents } from '../features/events/events.ts'
import { purgeKeys } from '../features/idempotency/idempotency.ts'
import { purgeCodes } from '../features/sms/sms.ts'

/** Work at regular times, by cron line. */
export interface RegularJob {
  readonly name: string
  readonly cron: string
  /** Returns figures for the record of the last success. */
  readonly run: (ctx: Context) => Promise<Record<string, number>>
}

const everyMinute = '* * * * *'
const everyHour = '7 * * * *'

/** What the house does by itself, whoever is signed in. Each may run twice or late without harm. */
export const regularJobs: readonly RegularJob[] = [
  {
    name: 'expiry',
    cron: everyMinute,
    run: async (ctx) => ({ noted: await expireAccounts(ctx) }),
  },
  {
    name: 'ledger',
    cron: everyHour,
    run: async (ctx) => {
      const findings = await findImbalances(ctx.db)
      for (const finding of findings) ctx.log.error({ finding }, 'the ledger does not add up')
      return { findings: findings.length }
    },
  },
  {
    name: 'purge',
    cron: everyHour,
    run: async (ctx) => {
      await purgeKeys(ctx)
      await purgeSignIns(ctx)
      await purgeCodes(ctx)
      await purgeEvents(ctx)
      return {}
    },
  },
]
