import {
  gigabyte,
  type Input,
  type quote,
  type quoteAccount,
  type quoteData,
  Refusal,
  type Settings,
} from '@kelid/contract'
import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { dollars, worthOf } from '../../lib/money.ts'
import type { Caller } from '../auth/auth.ts'
import { walletOf } from '../credit/credit.ts'
import { type Priced, priceOf, settle } from '../credit/money.ts'
import { hasRoom } from '../hosts/places.ts'
import { currentSettings } from '../settings/settings.ts'
import { findUser } from '../users/users.ts'
import { findOwnAccount } from './accounts.store.ts'
import { findDataLimit } from './data-limits.store.ts'
import { chosenWaysOf, targetOf } from './purchase.ts'
import { beginOf, daysLeft, isWaiting, type Outcome } from './renewal.ts'
import { needsLimit, newVolume, renewVolume, withMore } from './volume.ts'

type Question = Input<typeof quoteAccount>
type Quote = z.input<typeof quote>

interface Plan extends Outcome {
  readonly priced: Priced
  readonly gigabytes: number
  /** After it. */
  readonly data: { readonly bytes: number; readonly used: number } | null
  readonly starts_by: Date | null
  readonly quoteRenewal: Settings['renewal'] | null
  readonly obstacle: 'NO_CAPACITY' | 'ACCOUNT_ABUSED' | 'EXPIRY_TOO_FAR' | 'DATA_LIMIT_REQUIRED' | null
}

export const quoteFor = (ctx: Context, caller: Caller, question: Question): Promise<Quote> =>
  quotePlan(ctx, caller, (settings) =>
    question.accountUUID
      ? planRenewal(ctx, caller, question, question.accountUUID, settings)
      : planCreation(ctx, question, settings),
  )

export const quoteDataFor = (
  ctx: Context,
  caller: Caller,
  { accountUUID, accountDataLimit: gigabytes }: Input<typeof quoteData>,
): Promise<Quote> =>
  quotePlan(ctx, caller, async () => {
    const account = await findOwnAccount(ctx.db, caller.userId, accountUUID)
    if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
    const data = await findDataLimit(ctx.db, accountUUID)
    if (!data) throw new Refusal('NO_DATA_LIMIT')
    return {
      priced: { vpnType: account.vpn_type, tunnelType: '' },
      gigabytes,
      data: withMore(data, gigabytes),
      starts_by: account.starts_by,
      expires: account.expires_at,
      chargedDays: 0,
      lostDays: 0,
      isTooFar: false,
      quoteRenewal: null,
      obstacle: account.abused ? 'ACCOUNT_ABUSED' : null,
    }
  })

async function quotePlan(
  ctx: Context,
  caller: Caller,
  planFor: (settings: Settings) => Promise<Plan>,
): Promise<Quote> {
  const user = await findUser(ctx.db, caller.userId)
  if (!user) throw new Refusal('UNAUTHENTICATED')
  const settings = await currentSettings(ctx.db)
  const plan = await planFor(settings)
  const now = ctx.clock.now()
  const wallet = walletOf(user, settings)
  const { chargedDays: days, gigabytes } = plan
  const cost = priceOf(settings, plan.priced, { days, gigabytes })
  const { after, lentCents, refusal } = settle(wallet, cost)
  return {
    quotePoints: cost.points,
    quoteDollars: worthOf(cost.points, wallet.rate),
    quoteTunnelCredit: cost.tunnelCredit,
    quoteDebt: dollars(lentCents),
    quoteRenewal: plan.quoteRenewal,
    quoteDaysLost: plan.lostDays,
    userCreditAfter: after.points,
    userCreditDollarsAfter: worthOf(after.points, after.rate),
    userTunnelCreditAfter: after.tunnelCredit,
    userDebtAfter: dollars(after.debtCents),
    accountDurationAfter: daysLeft(plan.expires, beginOf(plan, now)),
    accountExpireDate: plan.expires.toISOString(),
    accountDataLimitAfter: plan.data && plan.data.bytes / gigabyte,
    accountDataLeftAfter: plan.data && Math.max(0, plan.data.bytes - plan.data.used),
    accountStartBy: isWaiting(plan, now) ? (plan.starts_by?.toISOString() ?? null) : null,
    quoteRefusal: plan.obstacle ?? (refusal?.type as Quote['quoteRefusal']) ?? null,
  }
}

async function planCreation(ctx: Context, question: Question, settings: Settings): Promise<Plan> {
  const {
    accountVPNType: vpnType,
    accountTunnelType: tunnelType,
    accountDuration: days,
    countryId,
  } = question
  const chosen = chosenWaysOf(question)
  const rooms = await Promise.all(
    [{ vpnType, tunnelType, countryId, ...targetOf(question) }, ...chosen].map((way) => hasRoom(ctx.db, way)),
  )
  const { extraDevices, data, ...volume } = newVolume(settings, question, ctx.clock.now())
  const obstacle = needsLimit(settings, question) ? 'DATA_LIMIT_REQUIRED' : 'NO_CAPACITY'
  return {
    priced: { vpnType, tunnelType, chosenWays: chosen.length, extraDevices },
    ...volume,
    data: data && { bytes: data.bytes, used: 0 },
    chargedDays: days,
    lostDays: 0,
    isTooFar: false,
    quoteRenewal: null,
    obstacle: rooms.every(Boolean) && obstacle === 'NO_CAPACITY' ? null : obstacle,
  }
}

async function planRenewal(
  ctx: Context,
  caller: Caller,
  question: Question,
  uuid: string,
  settings: Settings,
): Promise<Plan> {
  const account = await findOwnAccount(ctx.db, caller.userId, uuid)
  if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
  if (account.vpn_type !== question.accountVPNType || account.tunnel_type !== question.accountTunnelType)
    throw new Refusal(
      'INCOMPLETE_INFORMATION',
      {},
      { accountVPNType: 'vpnType', accountTunnelType: 'tunnelType' },
    )
  const wanted = { days: question.accountDuration, gigabytes: question.accountDataLimit }
  const outcome = renewVolume(settings, account, await findDataLimit(ctx.db, uuid), wanted, ctx.clock.now())
  const obstacle = account.abused ? 'ACCOUNT_ABUSED' : outcome.isTooFar ? 'EXPIRY_TOO_FAR' : null
  return { ...outcome, quoteRenewal: settings.renewal, obstacle }
}
