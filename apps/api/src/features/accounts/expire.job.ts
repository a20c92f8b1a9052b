import type { Context } from '../../context.ts'
import { announce } from '../events/events.ts'
import { noteExpired } from './accounts.store.ts'

const batch = 500

/**
 * Tells owners and nodes of accounts that ran out. It is not what ends them: an account is expired the moment its
 * time is up, whoever looks. Returns how many were noted.
 */
export async function expireAccounts(ctx: Context): Promise<number> {
  let noted = 0
  for (;;) {
    const size = await ctx.atomically(async (tx) => {
      const rows = await noteExpired(tx, ctx.clock.now(), batch)
      for (const { user_id, uuid } of rows)
        await announce(ctx, tx, user_id, [{ type: 'account', accountUUID: uuid }])
      return rows.length
    })
    noted += size
    if (size < batch) return noted
  }
}
