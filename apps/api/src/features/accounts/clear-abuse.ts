import { type AnyAccount, type Language, limits, Refusal, type SentAccount } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { type Actor, record } from '../audit/audit.ts'
import { type Caller, mayAdminister } from '../auth/auth.ts'
import { findAnyHost } from '../hosts/kinds.ts'
import { answerOnce, type Request } from '../idempotency/idempotency.ts'
import { forgetDevicesOf } from '../usage/usage.ts'
import { lockUser } from '../users/users.ts'
import { clearableFrom, recentClearings, stateOf, toAccountWithWays, toAnyAccount } from './account-shape.ts'
import { lockOwnAccount, updateAccount } from './accounts.store.ts'
import { announceAccount } from './accounts.ts'
import * as store from './any-account.store.ts'
import { lockAccount, recordAndNotify } from './any-account-acts.ts'

/** Owners clear the abuse of their own accounts, a few times a month; administrators of any. */
export const clearAbuse = async (
  ctx: Context,
  caller: Caller,
  by: Actor,
  uuid: string,
  lng: Language,
): Promise<AnyAccount | SentAccount> =>
  (await mayAdminister(ctx, caller))
    ? clearAnyAbuse(ctx, by, uuid, lng)
    : clearOwnAbuse(ctx, caller, by, uuid, lng)

const clearOwnAbuse = (
  ctx: Context,
  caller: Caller,
  by: Actor,
  uuid: string,
  lng: Language,
): Promise<SentAccount> =>
  ctx.atomically(async (tx) => {
    await lockUser(tx, caller.userId)
    const account = await lockOwnAccount(tx, caller.userId, uuid)
    if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
    const now = ctx.clock.now()
    // Nothing to clear: a repeated request is none of the few.
    if (!account.abused)
      return toAccountWithWays(ctx, tx, await updateAccount(tx, uuid, { abused: false }), lng)
    const next = clearableFrom(account.cleared_by_owner, now)
    if (next) throw new Refusal('CLEARED_TOO_OFTEN', { date: next.toISOString().slice(0, 10) })
    const cleared_by_owner = [...recentClearings(account.cleared_by_owner, now), now]
    const row = await updateAccount(tx, uuid, { ...withoutAbuse, cleared_by_owner })
    await forgetDevicesOf(tx, [uuid])
    await announceAccount(ctx, tx, caller.userId, uuid)
    const detail = { from: 'abused', to: stateOf(row, now), account: account.name, userEmail: caller.email }
    await record(ctx, tx, by, 'clearabuse', uuid, detail)
    return toAccountWithWays(ctx, tx, row, lng)
  })

const clearAnyAbuse = (ctx: Context, by: Actor, uuid: string, lng: Language): Promise<AnyAccount> =>
  ctx.atomically(async (tx) => {
    const account = await lockAccount(tx, uuid)
    const now = ctx.clock.now()
    await forgetDevicesOf(tx, [uuid])
    const change = account.abused ? withoutAbuse : { refusal: null }
    const row = await store.updateAnyAccount(tx, uuid, change)
    await recordAndNotify(ctx, tx, by, 'clearabuse', account, {
      from: stateOf(account, now),
      to: stateOf(row, now),
    })
    return toAnyAccount(row, lng, now)
  })

/** Works in batches, each with its audit entries, so that the audit log is not locked for long. */
export const clearAbuseOn = (
  ctx: Context,
  by: Actor,
  serverUUID: string,
  request: Request,
): Promise<{ accountsCleared: number; accountsLeft: number }> =>
  ctx.atomically((tx) =>
    answerOnce(tx, request, ctx.clock.now(), async () => {
      if ((await findAnyHost(tx, serverUUID))?.kind !== 'server') throw new Refusal('RESOURCE_NOT_FOUND')
      const accounts = await store.lockAbusedOn(tx, serverUUID, limits.bulkMax)
      const uuids = accounts.map(({ uuid }) => uuid)
      const clearedRows = new Map((await store.clearAbused(tx, uuids)).map((row) => [row.uuid, row]))
      if (uuids.length > 0) await forgetDevicesOf(tx, uuids)
      const accountsLeft = await store.countAbusedOn(tx, serverUUID)
      const now = ctx.clock.now()
      for (const { uuid, user_id } of accounts) await announceAccount(ctx, tx, user_id, uuid)
      for (const account of accounts)
        await record(ctx, tx, by, 'clearabuse', account.uuid, {
          from: stateOf(account, now),
          to: stateOf(clearedRows.get(account.uuid) ?? account, now),
          account: account.name,
          userEmail: account.email,
        })
      if (accounts.length > 0)
        await record(ctx, tx, by, 'clearabusebulk', serverUUID, { accounts: accounts.length, kind: 'server' })
      return { accountsCleared: accounts.length, accountsLeft }
    }),
  )

const withoutAbuse = {
  abused: false,
  enabled: true,
  closed_by_suspension: false,
  abuse_devices: null,
  abuse_seen_at: null,
  abuse_since: null,
  abuse_minutes: null,
}
