import type { Context } from '../../context.ts'
import { announce } from '../events/events.ts'
import { noteExpired } from './accounts.store.ts'

const batch = 500

/** Notifies owners and nodes; an account expires at its date without this job. Returns how many were notified. */
export async function expireAccounts(ctx: Context): Promise<number> {
  let count = 0
  for (;;) {
    const size = await ctx.atomically(async (tx) => {
      const rows = await noteExpired(tx, ctx.clock.now(), batch)
      for (const { user_id, uuid } of rows)
        await announce(ctx, tx, user_id, [{ type: 'account', accountUUID: uuid }])
      return rows.length
    })
    count += size
    if (size < batch) return count
  }
}
