import { day, type HostKind, type LiveEvent } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import {
  insertEventForAll,
  insertEvents,
  insertEventsOfAccounts,
  insertEventsOfHost,
  purgeEvents as purge,
} from './events.store.ts'

/** Tells the live streams, once the transaction commits. `userId` null tells every administrator. */
export const announce = (
  ctx: Context,
  tx: Db,
  userId: number | null,
  events: readonly LiveEvent[],
): Promise<void> => insertEvents(tx, userId, events, ctx.clock.now())

/** What points are worth or buy has changed, for everybody. */
export const announceNewPrices = (ctx: Context, tx: Db): Promise<void> =>
  insertEventForAll(tx, { type: 'balance' }, ctx.clock.now())

/** Something of these accounts has changed, whoever has them. */
export const announceAccounts = (ctx: Context, tx: Db, uuids: readonly string[]): Promise<void> =>
  insertEventsOfAccounts(tx, uuids, ctx.clock.now())

/** The links of a host's accounts have changed: a QR code that is open would lead nowhere. */
export const announceAccountsOf = (ctx: Context, tx: Db, kind: HostKind, uuid: string): Promise<void> =>
  insertEventsOfHost(tx, kind, uuid, ctx.clock.now())

const keptFor = day

export const purgeEvents = (ctx: Context): Promise<void> =>
  ctx.atomically((tx) => purge(tx, new Date(ctx.clock.now().getTime() - keptFor), ctx.clock.now()))
