import {
  type AnyAccount,
  type deleteAnyAccount,
  type giftDays,
  type Input,
  type Language,
  type moveAccount,
  Refusal,
  type resetData,
  type setAnyAccountEnabled,
  type setAnyAccountMaxDevices,
  type setAnyAccountSpeed,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { requireAsSeen } from '../../lib/as-seen.ts'
import { type Actor, type Detail, record } from '../audit/audit.ts'
import { changeLimit } from '../data/data.ts'
import { forgetEndedWays, movePlaces } from '../hosts/moving.ts'
import { givePlacesBack, lockPlaces } from '../hosts/places.ts'
import { answerOnce, type Request } from '../idempotency/idempotency.ts'
import { forgetDevicesOf } from '../usage/usage.ts'
import { stateOf, toAnyAccount } from './account-shape.ts'
import { announceAccount, mayBe } from './accounts.ts'
import * as store from './any-account.store.ts'
import { findDataLimit } from './data-limits.store.ts'
import { deleteWayTo, placesOf } from './further-ways.store.ts'
import { expiryTooFar, renew } from './renewal.ts'

export const switchAnyAccount = (
  ctx: Context,
  by: Actor,
  { accountUUID, accountEnabled, reason = '', basedOn }: Input<typeof setAnyAccountEnabled>,
  lng: Language,
): Promise<AnyAccount> =>
  ctx.atomically((tx) =>
    changeAnyAccount(ctx, tx, by, lng, 'setaccountenabled', accountUUID, async (account) => {
      requireAsSeen({ enabled: basedOn }, { enabled: account.enabled })
      if (!mayBe(accountEnabled, account)) throw new Refusal('ACCOUNT_ABUSED')
      return {
        change: { enabled: accountEnabled, closed_by_suspension: false },
        detail: { from: account.enabled, to: accountEnabled, reason },
      }
    }),
  )

/** Adds days regardless of the renewal rule, without a charge or ledger entry. */
export const giveDays = (
  ctx: Context,
  by: Actor,
  { accountUUID, accountDuration: days, reason, basedOn }: Input<typeof giftDays>,
  request: Request,
  lng: Language,
): Promise<AnyAccount> =>
  ctx.atomically((tx) =>
    answerOnce(tx, request, ctx.clock.now(), () =>
      changeAnyAccount(ctx, tx, by, lng, 'giftdays', accountUUID, async (account) => {
        const from = account.expires_at.toISOString()
        requireSameExpiry(account, basedOn)
        const { expires, isTooFar } = renew('extend', account.expires_at, days, ctx.clock.now())
        if (isTooFar) throw expiryTooFar()
        return {
          change: { expires_at: expires, expiry_noted_at: null },
          detail: { from, to: expires.toISOString(), days, reason },
        }
      }),
    ),
  )

export const resetUsedData = (
  ctx: Context,
  by: Actor,
  { accountUUID, reason }: Input<typeof resetData>,
  lng: Language,
): Promise<AnyAccount> =>
  ctx.atomically((tx) =>
    changeAnyAccount(ctx, tx, by, lng, 'resetdata', accountUUID, async () => {
      const data = await findDataLimit(tx, accountUUID)
      if (!data) throw new Refusal('NO_DATA_LIMIT')
      await changeLimit(ctx, tx, accountUUID, { used: 0 })
      return { change: { exhausted: false }, detail: { from: data.used, to: 0, reason } }
    }),
  )

export const moveAnyAccount = (
  ctx: Context,
  by: Actor,
  { accountUUID, toServerUUID, toTunnelUUID, basedOn }: Input<typeof moveAccount>,
  lng: Language,
): Promise<AnyAccount> =>
  ctx.atomically((tx) =>
    changeAnyAccount(ctx, tx, by, lng, 'moveaccount', accountUUID, async (account) => {
      requireAsSeen(basedOn, { serverUUID: account.server_uuid, tunnelUUID: account.tunnel_uuid })
      const to = { server_uuid: toServerUUID, tunnel_uuid: toTunnelUUID ?? account.tunnel_uuid }
      await lockPlaces(tx)
      await givePlacesBack(tx, await deleteWayTo(tx, accountUUID, toServerUUID))
      await forgetEndedWays(tx, [accountUUID])
      await movePlaces(tx, account, to)
      return {
        change: to,
        detail: {
          from: account.server_uuid,
          to: to.server_uuid,
          fromTunnel: account.tunnel_uuid,
          toTunnel: to.tunnel_uuid,
        },
      }
    }),
  )

export const removeAnyAccount = (
  ctx: Context,
  by: Actor,
  { accountUUID, reason, basedOn }: Input<typeof deleteAnyAccount>,
): Promise<void> =>
  ctx.atomically(async (tx) => {
    const account = await lockAccount(tx, accountUUID)
    requireSameExpiry(account, basedOn)
    const places = await placesOf(tx, [accountUUID])
    await store.deleteAnyAccount(tx, accountUUID)
    await givePlacesBack(tx, places)
    const from = stateOf(account, ctx.clock.now())
    await recordAndNotify(ctx, tx, by, 'deleteaccount', account, { from, to: 'deleted', reason })
  })

export const setMaxDevices = (
  ctx: Context,
  by: Actor,
  { accountUUID, accountMaxDevices, basedOn }: Input<typeof setAnyAccountMaxDevices>,
  lng: Language,
): Promise<AnyAccount> =>
  ctx.atomically((tx) =>
    changeAnyAccount(ctx, tx, by, lng, 'setaccountmaxdevices', accountUUID, async (account) => {
      requireAsSeen({ devices: basedOn }, { devices: account.max_devices })
      await forgetDevicesOf(tx, [accountUUID])
      return {
        change: { max_devices: accountMaxDevices },
        detail: { from: account.max_devices, to: accountMaxDevices },
      }
    }),
  )

export const setAnySpeed = (
  ctx: Context,
  by: Actor,
  { accountUUID, accountSpeedLimit, basedOn }: Input<typeof setAnyAccountSpeed>,
  lng: Language,
): Promise<AnyAccount> =>
  ctx.atomically((tx) =>
    changeAnyAccount(ctx, tx, by, lng, 'setaccountspeed', accountUUID, async (account) => {
      requireAsSeen({ speed: basedOn }, { speed: account.speed_limit })
      return {
        change: { speed_limit: accountSpeedLimit },
        detail: { from: account.speed_limit, to: accountSpeedLimit },
      }
    }),
  )

interface Change {
  readonly change: Parameters<typeof store.updateAnyAccount>[2]
  readonly detail: Detail
}

async function changeAnyAccount(
  ctx: Context,
  tx: Db,
  by: Actor,
  lng: Language,
  action: string,
  accountUUID: string,
  changeOf: (account: store.AnyAccountRecord) => Promise<Change>,
): Promise<AnyAccount> {
  const account = await lockAccount(tx, accountUUID)
  const { change, detail } = await changeOf(account)
  const row = await store.updateAnyAccount(tx, accountUUID, change)
  await recordAndNotify(ctx, tx, by, action, account, detail)
  return toAnyAccount(row, lng, ctx.clock.now())
}

const requireSameExpiry = ({ expires_at }: store.AnyAccountRecord, seenExpiry: string | undefined): void =>
  requireAsSeen({ expiry: seenExpiry && new Date(seenExpiry) }, { expiry: expires_at })

export async function lockAccount(tx: Db, accountUUID: string): Promise<store.AnyAccountRecord> {
  const account = await store.lockAnyAccount(tx, accountUUID)
  if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
  return account
}

export async function recordAndNotify(
  ctx: Context,
  tx: Db,
  by: Actor,
  action: string,
  { uuid, user_id, name, email }: store.AnyAccountRecord,
  detail: Detail,
): Promise<void> {
  await announceAccount(ctx, tx, user_id, uuid)
  await record(ctx, tx, by, action, uuid, { ...detail, account: name, userEmail: email })
}
