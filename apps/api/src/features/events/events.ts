import { day, type LiveEvent } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { insertEvents, purgeEvents as purge } from './events.store.ts'

/** Tells the live streams, once the transaction commits. `userId` null tells every administrator. */
export const announce = (
  ctx: Context,
  tx: Db,
  userId: number | null,
  events: readonly LiveEvent[],
): Promise<void> => insertEvents(tx, userId, events, ctx.clock.now())

const keptFor = day

export const purgeEvents = (ctx: Context): Promise<void> =>
  ctx.atomically((tx) => purge(tx, new Date(ctx.clock.now().getTime() - keptFor), ctx.clock.now()))
