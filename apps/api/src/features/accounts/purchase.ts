import { randomUUID } from 'node:crypto'
import {
  type Call,
  day,
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
import { announce } from '../events/events.ts'
import { takePlacesAt } from '../hosts/places.ts'
import { claim, type Request } from '../idempotency/idempotency.ts'
import { sealSecrets, toAccountWithWays } from './account-shape.ts'
import {
  type AccountRecord,
  findOwnAccount,
  insertAccount,
  lockOwnAccount,
  updateAccount,
} from './accounts.store.ts'
import { insertFurtherWays } from './further-ways.store.ts'
import { expiryTooFar, pricedOf, renew, requireQuotedRule } from './renewal.ts'

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
    const priced = { vpnType, tunnelType, chosenWays: chosen.length }
    const payment = paymentOf(user, settings, priceOf(settings, priced, days), input)
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
      target_country: input.accountTargetCountry ?? '',
      target_operator: input.accountTargetOperator ?? '',
      enabled: true,
      expires_at: new Date(now.getTime() + days * day),
      created_at: now,
    })
    await insertFurtherWays(tx, accountUUID, further)
    const bought = { days, vpnType, chosenWays: chosen.length }
    await charge(ctx, tx, user, payment, { movement: 'create', bought, accountUUID, accountName })
    await announce(ctx, tx, user.id, [{ type: 'balance' }, { type: 'account', accountUUID }])
    return toAccountWithWays(ctx, tx, account, lng)
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
    const { expires, chargedDays, isTooFar } = renew(settings.renewal, account.expires_at, days, now)
    if (isTooFar) throw expiryTooFar()
    const payment = paymentOf(user, settings, priceOf(settings, pricedOf(account), chargedDays), input)
    const renewedAccount = await updateAccount(tx, accountUUID, {
      expires_at: expires,
      expiry_noted_at: null,
    })
    const bought = { days: chargedDays, vpnType, chosenWays: account.chosen_ways }
    await charge(ctx, tx, user, payment, { movement: 'renew', bought, accountUUID, accountName })
    await announce(ctx, tx, user.id, [{ type: 'balance' }, { type: 'account', accountUUID }])
    return toAccountWithWays(ctx, tx, renewedAccount, lng)
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
