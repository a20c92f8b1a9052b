import { type DataShare, day, type HostKind, type LiveEvent } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import {
  insertEventForAll,
  insertEvents,
  insertEventsOfAccounts,
  insertEventsOfHost,
  insertReminders,
  purgeEvents as purge,
} from './events.store.ts'

/** Sent to live streams at the commit. `userId` null means all administrators. */
export const announce = (
  ctx: Context,
  tx: Db,
  userId: number | null,
  events: readonly LiveEvent[],
): Promise<void> => insertEvents(tx, userId, events, ctx.clock.now())

export const announceNewPrices = (ctx: Context, tx: Db): Promise<void> =>
  insertEventForAll(tx, { type: 'balance' }, ctx.clock.now())

export const announceAccounts = (ctx: Context, tx: Db, uuids: readonly string[]): Promise<void> =>
  insertEventsOfAccounts(tx, uuids, ctx.clock.now())

export const remindOfData = (
  ctx: Context,
  tx: Db,
  reminders: readonly { uuid: string; share: DataShare }[],
): Promise<void> => insertReminders(tx, reminders, ctx.clock.now())

/** The links of the host's accounts changed, so an open QR code is outdated. */
export const announceAccountsOf = (ctx: Context, tx: Db, kind: HostKind, uuid: string): Promise<void> =>
  insertEventsOfHost(tx, kind, uuid, ctx.clock.now())

const keptFor = day

export const purgeEvents = (ctx: Context): Promise<void> =>
  ctx.atomically((tx) => purge(tx, new Date(ctx.clock.now().getTime() - keptFor), ctx.clock.now()))
