import type { Context, Db } from '../../context.ts'
import { announceAccounts } from '../events/events.ts'
import * as store from './first-use.store.ts'

export async function beginDays(
  ctx: Context,
  tx: Db,
  uses: readonly { id: string; at: Date }[],
): Promise<void> {
  const begun = uses.length > 0 ? await store.beginDays(tx, uses) : []
  if (begun.length > 0) await announceAccounts(ctx, tx, begun)
}
