import { randomUUID } from 'node:crypto'
import {
  type addData as addDataCall,
  type Call,
  type extendDuration as extendDurationCall,
  type Input,
  type Language,
  type newAccount as newAccountCall,
  type newByPlan,
  Refusal,
  type renewByPlan,
  type SentAccount,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { Caller } from '../auth/auth.ts'
import { charge, lockPayer, paymentOf } from '../credit/credit.ts'
import { priceOf } from '../credit/money.ts'
import { changeLimit, openLimit } from '../data/data.ts'
import { announce } from '../events/events.ts'
import { takePlacesAt } from '../hosts/places.ts'
import { claim, type Request } from '../idempotency/idempotency.ts'
import { planPrice, soldBy } from '../plans/plans.ts'
import { sealSecrets, toAccountWithWays } from './account-shape.ts'
import { type AccountRecord, findOwnAccount, insertAccount, lockOwnAccount } from './accounts.store.ts'
import { dataColumns, findDataLimit } from './data-limits.store.ts'
import { insertFurtherWays } from './further-ways.store.ts'
import { orderOf, renewalOf } from './orders.ts'
import { expiryTooFar } from './renewal.ts'
import { boughtOf, chargedOf, newVolume, withMore, writeRenewal } from './volume.ts'

type Wish = Pick<
  Input<typeof newAccountCall>,
  'accountAlsoBy' | 'accountTargetCountry' | 'accountTargetOperator'
>

export const targetOf = ({ accountTargetCountry, accountTargetOperator }: Wish) => ({
  ...{ targetCountry: accountTargetCountry, targetOperator: accountTargetOperator },
})

export const chosenWaysOf = (input: Wish) =>
  (input.accountAlsoBy ?? []).map(
    ({ accountVPNType: vpnType, accountTunnelType: tunnelType, countryId }) => ({
      ...{ vpnType, tunnelType, countryId },
      ...targetOf(input),
    }),
  )

export interface Buyer {
  readonly caller: Caller
  readonly lng: Language
  readonly idempotencyKey: string | null
}

/** One transaction. The reply is built before the commit, so a failure there buys nothing. */
export const createAccount = (
  ctx: Context,
  { caller, lng, idempotencyKey: key }: Buyer,
  call: Call,
  input: Input<typeof newAccountCall> | Input<typeof newByPlan>,
): Promise<SentAccount> =>
  ctx.atomically(async (tx) => {
    const { accountName } = input
    const accountUUID = randomUUID()
    const now = ctx.clock.now()

    const { user, settings } = await lockPayer(tx, caller.userId)
    const earlier = await claimKey(tx, { userId: user.id, key, call, input, accountUUID }, now)
    if (earlier) return toAccountWithWays(ctx, tx, earlier, lng)

    const order = await orderOf(tx, caller, settings, input)
    const {
      plan,
      accountVPNType: vpnType,
      accountTunnelType: tunnelType,
      accountDuration: days,
      countryId,
    } = order
    const chosen = chosenWaysOf(order)
    const { gigabytes, extraDevices, data, expires, starts_by } = newVolume(settings, order, now)
    const priced = { vpnType, tunnelType, chosenWays: chosen.length, extraDevices }
    const cost = plan ? planPrice(plan) : priceOf(settings, priced, { days, gigabytes })
    const payment = paymentOf(user, settings, cost, input)
    const { first: places, further } = await takePlacesAt(
      tx,
      { vpnType, tunnelType, countryId, ...targetOf(order) },
      { chosen, count: settings.waysPerAccount[vpnType] },
    )
    const account = await insertAccount(tx, {
      uuid: accountUUID,
      user_id: user.id,
      name: accountName,
      vpn_type: vpnType,
      tunnel_type: tunnelType,
      ...places,
      ...sealSecrets(ctx, accountUUID),
      chosen_ways: chosen.length,
      max_devices: order.accountMaxDevices ?? null,
      extra_devices: extraDevices,
      starts_by,
      target_country: order.accountTargetCountry ?? '',
      target_operator: order.accountTargetOperator ?? '',
      ...(plan ? soldBy(plan) : { plan_uuid: null, plan_names: null, plan_terms: null }),
      enabled: true,
      expires_at: expires,
      created_at: now,
    })
    await insertFurtherWays(tx, accountUUID, further)
    if (data) await openLimit(tx, accountUUID, data)
    const bought = { days, vpnType, chosenWays: chosen.length, gigabytes, extraDevices }
    await charge(ctx, tx, user, payment, { movement: 'create', bought, accountUUID, accountName, plan })
    await announce(ctx, tx, user.id, [{ type: 'balance' }, { type: 'account', accountUUID }])
    return toAccountWithWays(ctx, tx, { ...account, ...dataColumns(data) }, lng)
  })

export const extendAccount = (
  ctx: Context,
  { caller, lng, idempotencyKey: key }: Buyer,
  call: Call,
  input: Input<typeof extendDurationCall> | Input<typeof renewByPlan>,
): Promise<SentAccount> =>
  ctx.atomically(async (tx) => {
    const { accountUUID } = input
    const now = ctx.clock.now()

    const { user, settings } = await lockPayer(tx, caller.userId)
    const earlier = await claimKey(tx, { userId: user.id, key, call, input, accountUUID }, now)
    if (earlier) return toAccountWithWays(ctx, tx, earlier, lng)

    const account = await lockOwnAccount(tx, user.id, accountUUID)
    if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
    if (account.abused) throw new Refusal('ACCOUNT_ABUSED')
    const { vpn_type: vpnType, name: accountName } = account

    const { plan, renewed } = await renewalOf(tx, caller, settings, account, input, now)
    if (renewed.isTooFar) throw expiryTooFar()
    const cost = plan ? planPrice(plan) : priceOf(settings, renewed.priced, chargedOf(renewed))
    const payment = paymentOf(user, settings, cost, input)
    const renewedAccount = await writeRenewal(ctx, tx, accountUUID, { ...renewed, plan })
    const bought = boughtOf(vpnType, renewed)
    await charge(ctx, tx, user, payment, { movement: 'renew', bought, accountUUID, accountName, plan })
    await announce(ctx, tx, user.id, [{ type: 'balance' }, { type: 'account', accountUUID }])
    return toAccountWithWays(ctx, tx, renewedAccount, lng)
  })

export const addDataTo = (
  ctx: Context,
  { caller, lng, idempotencyKey: key }: Buyer,
  call: Call,
  input: Input<typeof addDataCall>,
): Promise<SentAccount> =>
  ctx.atomically(async (tx) => {
    const { accountUUID, accountDataLimit: gigabytes } = input
    const now = ctx.clock.now()

    const { user, settings } = await lockPayer(tx, caller.userId)
    const earlier = await claimKey(tx, { userId: user.id, key, call, input, accountUUID }, now)
    if (earlier) return toAccountWithWays(ctx, tx, earlier, lng)

    const account = await lockOwnAccount(tx, user.id, accountUUID)
    if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
    if (account.abused) throw new Refusal('ACCOUNT_ABUSED')
    const { vpn_type: vpnType, name: accountName } = account

    const data = await findDataLimit(tx, accountUUID)
    if (!data) throw new Refusal('NO_DATA_LIMIT')
    const more = withMore(data, gigabytes)
    const payment = paymentOf(
      user,
      settings,
      priceOf(settings, { vpnType, tunnelType: '' }, { days: 0, gigabytes }),
      input,
    )
    await changeLimit(ctx, tx, accountUUID, { bytes: more.bytes })
    const changed = (await findOwnAccount(tx, user.id, accountUUID)) as AccountRecord
    const bought = { days: 0, vpnType, chosenWays: 0, gigabytes, extraDevices: 0 }
    await charge(ctx, tx, user, payment, {
      ...{ movement: 'data', bought, accountUUID, accountName, plan: null },
    })
    await announce(ctx, tx, user.id, [{ type: 'balance' }, { type: 'account', accountUUID }])
    return toAccountWithWays(ctx, tx, changed, lng)
  })

/** Returns the account that an earlier attempt bought, in its current state. */
async function claimKey(
  tx: Db,
  { accountUUID, ...request }: Request & { accountUUID: string },
  now: Date,
): Promise<AccountRecord | null> {
  const earlier = await claim(tx, request, accountUUID, now)
  if (!earlier) return null
  const account = earlier.account_uuid && (await findOwnAccount(tx, request.userId, earlier.account_uuid))
  if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
  return account
}
