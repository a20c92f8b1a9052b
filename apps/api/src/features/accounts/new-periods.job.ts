import type { Context } from '../../context.ts'
import { changeLimit } from '../data/data.ts'
import { announce } from '../events/events.ts'
import { findDataLimit, lockDueForReset } from './data-limits.store.ts'
import { periodLength, presentPeriod } from './volume.ts'

const batch = 200

/** Gives accounts whose period has ended their data anew. Returns how many. */
export async function beginPeriods(ctx: Context): Promise<number> {
  let count = 0
  for (;;) {
    const size = await ctx.atomically(async (tx) => {
      const now = ctx.clock.now()
      const due = await lockDueForReset(tx, now, new Date(now.getTime() - periodLength), batch)
      for (const { uuid, user_id } of due) {
        const data = await findDataLimit(tx, uuid)
        if (!data?.monthly_bytes) continue
        const period_began_at = presentPeriod(data.period_began_at, now)
        await changeLimit(ctx, tx, uuid, { bytes: data.monthly_bytes, used: 0, period_began_at })
        await announce(ctx, tx, user_id, [{ type: 'account', accountUUID: uuid }])
      }
      return due.length
    })
    count += size
    if (size < batch) return count
  }
}
