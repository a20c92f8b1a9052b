import type { LiveEvent } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { announce } from '../events/events.ts'
import { findHost } from '../hosts/hosts.ts'
import { announceHost } from '../hosts/kinds.ts'
import * as store from './compensations.store.ts'

const batch = 500

/** May run twice or be killed: the days and the note about them commit together, and a lock serialises workers. */
export async function giveCompensation(ctx: Context, uuid: string): Promise<void> {
  while (await giveNext(ctx, uuid));
}

const giveNext = (ctx: Context, uuid: string): Promise<boolean> =>
  ctx.atomically(async (tx) => {
    const compensation = await store.lockUnfinished(tx, uuid)
    if (!compensation) return false
    const now = ctx.clock.now()
    const accounts = await store.waitingAccounts(tx, uuid, batch)
    const lengthened = await store.lengthen(tx, accounts, compensation.days, now)
    const skipped = accounts.length - lengthened.length
    const isLast = accounts.length < batch
    await store.noteDone(tx, uuid, { accounts, skipped, isLast }, now)
    await notify(ctx, tx, compensation, lengthened)
    return !isLast
  })

async function notify(
  ctx: Context,
  tx: Db,
  { subject: kind, subject_uuid: uuid }: store.Compensation,
  lengthened: readonly { uuid: string; user_id: number }[],
): Promise<void> {
  const events = new Map<number, LiveEvent[]>()
  for (const account of lengthened)
    events.set(account.user_id, [
      ...(events.get(account.user_id) ?? []),
      { type: 'account', accountUUID: account.uuid },
    ])
  for (const [userId, ofUser] of events) await announce(ctx, tx, userId, ofUser)
  const host = await findHost(tx, kind, uuid)
  if (host) await announceHost(ctx, tx, { kind, uuid }, host.state)
}

/** Queues compensations whose job was lost, for example by a restore. */
export async function resendUnfinished(ctx: Context): Promise<void> {
  for (const compensation of await store.listUnfinished(ctx.db))
    await ctx.jobs.send(ctx.db, 'compensate', { compensation })
}
