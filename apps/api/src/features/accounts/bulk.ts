import {
  type Call,
  type deleteBulk,
  type extendBulk,
  type Input,
  type quoteBulk,
  Refusal,
  type setEnabledBulk,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { Caller } from '../auth/auth.ts'
import { charge, requireAsQuoted, walletOf } from '../credit/credit.ts'
import { announce } from '../events/events.ts'
import { givePlacesBack } from '../hosts/places.ts'
import { answerOnce, Unchanged } from '../idempotency/idempotency.ts'
import { currentSettings } from '../settings/settings.ts'
import { findUser, type LockedUser, lockUser } from '../users/users.ts'
import {
  deleteOwnAccounts,
  findOwnAccounts,
  lockOwnAccounts,
  type RenewableAccount,
  setOwnEnabled,
} from './accounts.store.ts'
import { mayBe } from './accounts.ts'
import { type BulkRefusal, isRenewal, planRenewals, toBulkRenewal } from './bulk-plan.ts'
import { type DataLimit, findDataLimits } from './data-limits.store.ts'
import { placesOf } from './further-ways.store.ts'
import { soldByPlanOnly } from './plan-fit.ts'
import type { Buyer } from './purchase.ts'
import { requireQuotedRule } from './renewal.ts'
import { boughtOf, writeRenewal } from './volume.ts'

export async function quoteRenewals(ctx: Context, caller: Caller, input: Input<typeof quoteBulk>) {
  const { accountUUIDs: uuids, accountDuration: days, accountDataLimit: gigabytes = 0 } = input
  const now = ctx.clock.now()
  const user = await findUser(ctx.db, caller.userId)
  if (!user) throw new Refusal('UNAUTHENTICATED')
  const settings = await currentSettings(ctx.db)
  const accounts = await findOwnAccounts(ctx.db, caller.userId, uuids)
  const limits = await findDataLimits(
    ctx.db,
    accounts.map(({ uuid }) => uuid),
  )
  const planOnly = await soldByPlanOnly(ctx.db, caller, settings, withData(accounts, limits))
  const wanted = { uuids, accounts, limits, planOnly, days, gigabytes }
  const plan = planRenewals(walletOf(user, settings), settings, wanted, now)
  return toBulkRenewal(plan, settings, now)
}

/** Renews every account that can be renewed and paid in one transaction, or none if the quote is outdated. */
export const extendAccounts = (ctx: Context, buyer: Buyer, call: Call, input: Input<typeof extendBulk>) =>
  answerBulkOnce(ctx, buyer, call, input, async (tx, user) => {
    const { accountUUIDs: uuids, accountDuration: days, accountDataLimit: gigabytes = 0 } = input
    const now = ctx.clock.now()

    const accounts = await lockOwnAccounts(tx, user.id, uuids)
    const settings = await currentSettings(tx)
    requireQuotedRule(input, settings)
    const limits = await findDataLimits(
      tx,
      accounts.map(({ uuid }) => uuid),
    )
    const planOnly = await soldByPlanOnly(tx, buyer.caller, settings, withData(accounts, limits))
    const wanted = { uuids, accounts, limits, planOnly, days, gigabytes }
    const plan = planRenewals(walletOf(user, settings), settings, wanted, now)
    requireAsQuoted(input, plan.cost, plan.lentCents)

    for (const [accountUUID, one] of plan.each) {
      if (!isRenewal(one)) continue
      const { payment, account } = one
      await writeRenewal(ctx, tx, accountUUID, { ...one, plan: null })
      const bought = boughtOf(account.vpn_type, one)
      const purchase = {
        movement: 'renew',
        bought,
        accountUUID,
        accountName: account.name,
        plan: null,
      } as const
      await charge(ctx, tx, user, payment, purchase)
    }
    const renewedIds = plan.each.flatMap(([uuid, one]) => (isRenewal(one) ? [uuid] : []))
    if (renewedIds.length > 0) await announce(ctx, tx, user.id, [{ type: 'balance' }])
    await announceAccounts(ctx, tx, user, renewedIds)
    const reply = toBulkRenewal(plan, settings, now)
    const isChanged = plan.each.some(
      ([, one]) =>
        isRenewal(one) && (one.gigabytes > 0 || one.expires.getTime() !== one.account.expires_at.getTime()),
    )
    return isChanged ? reply : new Unchanged(reply)
  })

export const setManyEnabled = (ctx: Context, buyer: Buyer, call: Call, input: Input<typeof setEnabledBulk>) =>
  answerBulkOnce(ctx, buyer, call, input, async (tx, user) => {
    const { accountUUIDs: uuids, accountEnabled: isEnabled } = input
    const accounts = await lockOwnAccounts(tx, user.id, uuids)
    const allowed = accounts.filter((account) => mayBe(isEnabled, account))
    const changedIds = allowed.filter(({ enabled }) => enabled !== isEnabled).map(({ uuid }) => uuid)
    await setOwnEnabled(tx, user.id, changedIds, isEnabled)
    await announceAccounts(ctx, tx, user, changedIds)
    const abusedIds = accounts.filter((account) => !mayBe(isEnabled, account)).map(({ uuid }) => uuid)
    const enabledIds = allowed.map(({ uuid }) => uuid)
    const reply = resultsOf(uuids, enabledIds, (uuid) =>
      abusedIds.includes(uuid) ? 'ACCOUNT_ABUSED' : 'RESOURCE_NOT_FOUND',
    )
    return changedIds.length > 0 ? reply : new Unchanged(reply)
  })

export const deleteAccounts = (ctx: Context, buyer: Buyer, call: Call, input: Input<typeof deleteBulk>) =>
  answerBulkOnce(ctx, buyer, call, input, async (tx, user) => {
    const { accountUUIDs: uuids } = input
    const deletedIds = (await lockOwnAccounts(tx, user.id, uuids)).map(({ uuid }) => uuid)
    const places = await placesOf(tx, deletedIds)
    await deleteOwnAccounts(tx, user.id, deletedIds)
    await givePlacesBack(tx, places)
    await announceAccounts(ctx, tx, user, deletedIds)
    const reply = resultsOf(uuids, deletedIds, () => 'RESOURCE_NOT_FOUND')
    return deletedIds.length > 0 ? reply : new Unchanged(reply)
  })

/** Stores the reply in the same transaction, so a retry under the same key gets the same reply, refusals included. */
const answerBulkOnce = <Reply extends object>(
  ctx: Context,
  { caller, idempotencyKey: key }: Buyer,
  call: Call,
  input: object,
  work: (tx: Db, user: LockedUser) => Promise<Reply | Unchanged<Reply>>,
): Promise<Reply> =>
  ctx.atomically(async (tx) => {
    const user = await lockUser(tx, caller.userId)
    const request = { userId: user.id, key, call, input }
    return answerOnce(tx, request, ctx.clock.now(), () => work(tx, user))
  })

const withData = (accounts: readonly RenewableAccount[], limits: ReadonlyMap<string, DataLimit>) =>
  accounts.map((account) => ({ account, data: limits.get(account.uuid) }))

const resultsOf = (
  uuids: readonly string[],
  succeeded: readonly string[],
  refusalOf: (accountUUID: string) => BulkRefusal,
) => ({
  items: uuids.map((accountUUID) => ({
    accountUUID,
    accountRefusal: succeeded.includes(accountUUID) ? null : refusalOf(accountUUID),
  })),
})

const announceAccounts = async (ctx: Context, tx: Db, { id }: LockedUser, uuids: readonly string[]) => {
  if (uuids.length === 0) return
  const events = uuids.map((accountUUID) => ({ type: 'account', accountUUID }) as const)
  await announce(ctx, tx, id, events)
}
