import { randomUUID } from 'node:crypto'
import {
  type addData as addDataCall,
  type Call,
  type extendDuration as extendDurationCall,
  type Input,
  type Language,
  type newAccount as newAccountCall,
  Refusal,
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
import { sealSecrets, toAccountWithWays } from './account-shape.ts'
import { type AccountRecord, findOwnAccount, insertAccount, lockOwnAccount } from './accounts.store.ts'
import { dataColumns, findDataLimit } from './data-limits.store.ts'
import { insertFurtherWays } from './further-ways.store.ts'
import { expiryTooFar, requireQuotedRule } from './renewal.ts'
import { boughtOf, chargedOf, needsLimit, newVolume, renewVolume, withMore, writeRenewal } from './volume.ts'

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
  input: Input<typeof newAccountCall>,
): Promise<SentAccount> =>
  ctx.atomically(async (tx) => {
    const {
      accountName,
      accountVPNType: vpnType,
      accountTunnelType: tunnelType,
      accountDuration: days,
    } = input
    const accountUUID = randomUUID()
    const now = ctx.clock.now()

    const { user, settings } = await lockPayer(tx, caller.userId)
    const earlier = await claimKey(tx, { userId: user.id, key, call, input, accountUUID }, now)
    if (earlier) return toAccountWithWays(ctx, tx, earlier, lng)

    const chosen = chosenWaysOf(input)
    if (needsLimit(settings, input)) throw new Refusal('DATA_LIMIT_REQUIRED')
    const { gigabytes, extraDevices, data, expires, starts_by } = newVolume(settings, input, now)
    const priced = { vpnType, tunnelType, chosenWays: chosen.length, extraDevices }
    const payment = paymentOf(user, settings, priceOf(settings, priced, { days, gigabytes }), input)
    const { first: places, further } = await takePlacesAt(
      tx,
      { vpnType, tunnelType, countryId: input.countryId, ...targetOf(input) },
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
      max_devices: input.accountMaxDevices ?? null,
      extra_devices: extraDevices,
      starts_by,
      target_country: input.accountTargetCountry ?? '',
      target_operator: input.accountTargetOperator ?? '',
      plan_uuid: null,
      plan_names: null,
      plan_terms: null,
      enabled: true,
      expires_at: expires,
      created_at: now,
    })
    await insertFurtherWays(tx, accountUUID, further)
    if (data) await openLimit(tx, accountUUID, data)
    const bought = { days, vpnType, chosenWays: chosen.length, gigabytes, extraDevices }
    await charge(ctx, tx, user, payment, { movement: 'create', bought, accountUUID, accountName })
    await announce(ctx, tx, user.id, [{ type: 'balance' }, { type: 'account', accountUUID }])
    return toAccountWithWays(ctx, tx, { ...account, ...dataColumns(data) }, lng)
  })

export const extendAccount = (
  ctx: Context,
  { caller, lng, idempotencyKey: key }: Buyer,
  call: Call,
  input: Input<typeof extendDurationCall>,
): Promise<SentAccount> =>
  ctx.atomically(async (tx) => {
    const { accountUUID, accountDuration: days } = input
    const now = ctx.clock.now()

    const { user, settings } = await lockPayer(tx, caller.userId)
    const earlier = await claimKey(tx, { userId: user.id, key, call, input, accountUUID }, now)
    if (earlier) return toAccountWithWays(ctx, tx, earlier, lng)

    const account = await lockOwnAccount(tx, user.id, accountUUID)
    if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
    if (account.abused) throw new Refusal('ACCOUNT_ABUSED')
    const { vpn_type: vpnType, name: accountName } = account

    requireQuotedRule(input, settings)
    const wanted = { days, gigabytes: input.accountDataLimit }
    const renewed = renewVolume(settings, account, await findDataLimit(tx, accountUUID), wanted, now)
    if (renewed.isTooFar) throw expiryTooFar()
    const payment = paymentOf(user, settings, priceOf(settings, renewed.priced, chargedOf(renewed)), input)
    const renewedAccount = await writeRenewal(ctx, tx, accountUUID, renewed)
    const bought = boughtOf(vpnType, renewed)
    await charge(ctx, tx, user, payment, { movement: 'renew', bought, accountUUID, accountName })
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
    await charge(ctx, tx, user, payment, { movement: 'data', bought, accountUUID, accountName })
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
