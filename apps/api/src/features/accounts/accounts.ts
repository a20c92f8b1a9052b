import {
  type AccountUsage,
  type Input,
  type Language,
  Refusal,
  type SentAccount,
  type setSpeed as setSpeedCall,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { hashOf } from '../../lib/tokens.ts'
import type { Caller } from '../auth/auth.ts'
import { authorityCertificate } from '../authority/authority.ts'
import { announce } from '../events/events.ts'
import { givePlacesBack, targetsOnOffer } from '../hosts/places.ts'
import { devicesNow, trafficOf, usageOf } from '../usage/usage.ts'
import { contactOf, lockUser } from '../users/users.ts'
import { type AccountQuery, listAccounts as readAccounts } from './account-list.store.ts'
import {
  openSecrets,
  sealNewVpnSecret,
  sealSecrets,
  subscriptionOf,
  toAccount,
  toAccountWithoutLinks,
  toAccountWithWays,
  waySecretOf,
} from './account-shape.ts'
import * as store from './accounts.store.ts'
import { placesOf, waysOf } from './further-ways.store.ts'

export { countByState } from './account-list.store.ts'
export { hasVpnSecret, vpnSecretOf, waySecretOf } from './account-shape.ts'
export { closeAccounts, reopenAccounts } from './any-account.store.ts'
export { placesOf } from './further-ways.store.ts'
export { createAccount, extendAccount } from './purchase.ts'

const notFound = () => new Refusal('RESOURCE_NOT_FOUND')

export async function listAccounts(
  ctx: Context,
  caller: Caller,
  {
    withLinks = true,
    ...query
  }: Omit<AccountQuery, 'owner' | 'server' | 'tunnel' | 'now'> & {
    withLinks?: boolean | undefined
  },
  lng: Language,
) {
  const now = ctx.clock.now()
  const shape = (row: store.AccountRecord) =>
    withLinks ? toAccount(ctx, row, lng, now) : toAccountWithoutLinks(row, lng, now)
  const { rows, ...page } = await readAccounts(ctx.db, { ...query, owner: caller.userId, now })
  return { items: rows.map(shape), ...page }
}

export async function getAccount(
  ctx: Context,
  caller: Caller,
  uuid: string,
  lng: Language,
): Promise<SentAccount> {
  const row = await store.findOwnAccount(ctx.db, caller.userId, uuid)
  if (!row) throw notFound()
  return toAccountWithWays(ctx, ctx.db, row, lng)
}

export async function listTargets(ctx: Context) {
  const targets = await targetsOnOffer(ctx.db)
  return {
    items: targets.map(({ vpn_type, tunnel_type, country_id, country, operator }) => ({
      accountVPNType: vpn_type,
      accountTunnelType: tunnel_type,
      countryId: country_id,
      accountTargetCountry: country,
      accountTargetOperator: operator,
    })),
  }
}

const changeOwnAccount = (
  ctx: Context,
  caller: Caller,
  uuid: string,
  lng: Language,
  changeOf: (account: store.LockedAccount) => store.Change,
) =>
  ctx.atomically(async (tx) => {
    await lockUser(tx, caller.userId)
    const account = await store.lockOwnAccount(tx, caller.userId, uuid)
    if (!account) throw notFound()
    const row = await store.updateAccount(tx, uuid, changeOf(account))
    await announceAccount(ctx, tx, caller.userId, uuid)
    return toAccountWithWays(ctx, tx, row, lng)
  })

/** An abused account is enabled again by clearing the abuse. */
export const mayBe = (isEnabled: boolean, { abused }: { abused: boolean }): boolean => !(isEnabled && abused)

export const setEnabled = (ctx: Context, caller: Caller, uuid: string, isEnabled: boolean, lng: Language) =>
  changeOwnAccount(ctx, caller, uuid, lng, (account) => {
    if (!mayBe(isEnabled, account)) throw new Refusal('ACCOUNT_ABUSED')
    return { enabled: isEnabled }
  })

export const setSpeed = (
  ctx: Context,
  caller: Caller,
  { accountUUID, accountSpeedLimit }: Input<typeof setSpeedCall>,
  lng: Language,
) => changeOwnAccount(ctx, caller, accountUUID, lng, () => ({ speed_limit: accountSpeedLimit }))

export const replaceSubscriptionLink = (ctx: Context, caller: Caller, uuid: string, lng: Language) =>
  changeOwnAccount(ctx, caller, uuid, lng, (account) => sealSecrets(ctx, uuid, openSecrets(ctx, account).vpn))

/** The old key stops working, and its connections are cut. */
export const replaceVpnSecret = (ctx: Context, caller: Caller, uuid: string, lng: Language) =>
  changeOwnAccount(ctx, caller, uuid, lng, (account) => ({
    ...sealNewVpnSecret(ctx, account),
    secret_number: account.secret_number + 1,
  }))

export async function getUsage(ctx: Context, caller: Caller, accountUUID: string): Promise<AccountUsage> {
  const row = await store.findOwnAccount(ctx.db, caller.userId, accountUUID)
  if (!row) throw notFound()
  const usage = await usageOf(ctx, accountUUID)
  return { accountUUID, ...usage, accountApplied: row.applied, accountAppliedMs: row.applied_ms }
}

export const deleteAccount = (ctx: Context, caller: Caller, uuid: string): Promise<void> =>
  ctx.atomically(async (tx) => {
    await lockUser(tx, caller.userId)
    if (!(await store.lockOwnAccount(tx, caller.userId, uuid))) throw notFound()
    const places = await placesOf(tx, [uuid])
    await store.deleteOwnAccounts(tx, caller.userId, [uuid])
    await givePlacesBack(tx, places)
    await announceAccount(ctx, tx, caller.userId, uuid)
  })

export async function findSubscription(ctx: Context, subscriptionSecret: string) {
  const row = await store.findAccountByLink(ctx.db, hashOf(subscriptionSecret))
  if (!row) return null
  const { vpn } = openSecrets(ctx, row)
  const now = ctx.clock.now()
  const account = subscriptionOf(ctx, row, vpn, now)
  const ways = (await waysOf(ctx.db, row.uuid)).map((way) => ({
    ...subscriptionOf(ctx, { ...row, ...way }, waySecretOf(ctx, vpn, way), now),
    health: way.health,
  }))
  const isOwnAuthority = ways.some(({ authorityFingerprint }) => authorityFingerprint !== null)
  const authority = isOwnAuthority ? await authorityCertificate(ctx) : null
  const isReported = row.applied !== 'unreported'
  const usage = await trafficOf(ctx.db, row.uuid)
  const devices = await devicesNow(ctx.db, row.uuid, now)
  return {
    account,
    ways,
    authority,
    usage: usage ?? (isReported ? { upload: 0, download: 0 } : null),
    devices: isReported || devices > 0 ? devices : null,
    contact: await contactOf(ctx.db, row.user_id),
  }
}

export const announceAccount = (ctx: Context, tx: Db, userId: number, accountUUID: string) =>
  announce(ctx, tx, userId, [{ type: 'account', accountUUID }])
