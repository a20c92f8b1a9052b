import {
  gigabyte,
  type Input,
  type quote,
  type quoteAccount,
  type quoteByPlan,
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
import { type PlanRecord, planFor, planPrice } from '../plans/plans.ts'
import { currentSettings } from '../settings/settings.ts'
import { findUser } from '../users/users.ts'
import { type AccountRecord, findOwnAccount } from './accounts.store.ts'
import { findDataLimit } from './data-limits.store.ts'
import { customObstacle, type Order, orderByPlan, renewedByPlan } from './orders.ts'
import { soldByPlanOnly } from './plan-fit.ts'
import { chosenWaysOf, targetOf } from './purchase.ts'
import { beginOf, daysLeft, isWaiting, type Outcome } from './renewal.ts'
import { newVolume, renewVolume, withMore } from './volume.ts'

type Question = Input<typeof quoteAccount>
type Quote = z.input<typeof quote>

interface Draft extends Outcome {
  readonly priced: Priced
  readonly gigabytes: number
  /** After it. */
  readonly data: { readonly bytes: number; readonly used: number } | null
  readonly starts_by: Date | null
  readonly quoteRenewal: Settings['renewal'] | null
  /** null: at the prices of the settings. */
  readonly plan: PlanRecord | null
  readonly obstacle: Quote['quoteRefusal']
}

export const quoteFor = (ctx: Context, caller: Caller, question: Question): Promise<Quote> =>
  quoteDraft(ctx, caller, (settings) =>
    question.accountUUID
      ? draftRenewal(ctx, caller, question, question.accountUUID, settings)
      : draftCustom(ctx, caller, question, settings),
  )

async function draftCustom(
  ctx: Context,
  caller: Caller,
  question: Question,
  settings: Settings,
): Promise<Draft> {
  const draft = await draftCreation(ctx, { ...question, plan: null }, settings)
  return { ...draft, obstacle: customObstacle(settings, caller, question) ?? draft.obstacle }
}

export async function quoteByPlanFor(ctx: Context, caller: Caller, question: Input<typeof quoteByPlan>) {
  const { planUUID, accountUUID } = question
  const account = accountUUID ? await ownAccount(ctx, caller, accountUUID) : null
  const plan = await planFor(ctx.db, caller, planUUID)
  const quote = await quoteDraft(ctx, caller, (settings) =>
    account
      ? draftRenewalByPlan(ctx, plan, account, settings)
      : draftCreation(ctx, orderByPlan(plan, question), settings),
  )
  return { ...quote, planRevision: plan.revision }
}

export const quoteDataFor = (
  ctx: Context,
  caller: Caller,
  { accountUUID, accountDataLimit: gigabytes }: Input<typeof quoteData>,
): Promise<Quote> =>
  quoteDraft(ctx, caller, async () => {
    const account = await ownAccount(ctx, caller, accountUUID)
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
      plan: null,
      obstacle: account.abused ? 'ACCOUNT_ABUSED' : null,
    }
  })

async function quoteDraft(
  ctx: Context,
  caller: Caller,
  draftFor: (settings: Settings) => Promise<Draft>,
): Promise<Quote> {
  const user = await findUser(ctx.db, caller.userId)
  if (!user) throw new Refusal('UNAUTHENTICATED')
  const settings = await currentSettings(ctx.db)
  const draft = await draftFor(settings)
  const now = ctx.clock.now()
  const wallet = walletOf(user, settings)
  const { chargedDays: days, gigabytes } = draft
  const cost = draft.plan ? planPrice(draft.plan) : priceOf(settings, draft.priced, { days, gigabytes })
  const { after, lentCents, refusal } = settle(wallet, cost)
  return {
    quotePoints: cost.points,
    quoteDollars: worthOf(cost.points, wallet.rate),
    quoteTunnelCredit: cost.tunnelCredit,
    quoteDebt: dollars(lentCents),
    quoteRenewal: draft.quoteRenewal,
    quoteDaysLost: draft.lostDays,
    userCreditAfter: after.points,
    userCreditDollarsAfter: worthOf(after.points, after.rate),
    userTunnelCreditAfter: after.tunnelCredit,
    userDebtAfter: dollars(after.debtCents),
    accountDurationAfter: daysLeft(draft.expires, beginOf(draft, now)),
    accountExpireDate: draft.expires.toISOString(),
    accountDataLimitAfter: draft.data && draft.data.bytes / gigabyte,
    accountDataLeftAfter: draft.data && Math.max(0, draft.data.bytes - draft.data.used),
    accountStartBy: isWaiting(draft, now) ? (draft.starts_by?.toISOString() ?? null) : null,
    quoteRefusal: draft.obstacle ?? (refusal?.type as Quote['quoteRefusal']) ?? null,
  }
}

async function draftCreation(ctx: Context, order: Order, settings: Settings): Promise<Draft> {
  const {
    plan,
    accountVPNType: vpnType,
    accountTunnelType: tunnelType,
    accountDuration: days,
    countryId,
  } = order
  const chosen = chosenWaysOf(order)
  const rooms = await Promise.all(
    [{ vpnType, tunnelType, countryId, ...targetOf(order) }, ...chosen].map((way) => hasRoom(ctx.db, way)),
  )
  const { extraDevices, data, ...volume } = newVolume(settings, order, ctx.clock.now())
  return {
    plan,
    priced: { vpnType, tunnelType, chosenWays: chosen.length, extraDevices },
    ...volume,
    data: data && { bytes: data.bytes, used: 0 },
    chargedDays: days,
    lostDays: 0,
    isTooFar: false,
    quoteRenewal: null,
    obstacle: rooms.every(Boolean) ? null : 'NO_CAPACITY',
  }
}

async function ownAccount(ctx: Context, caller: Caller, uuid: string): Promise<AccountRecord> {
  const account = await findOwnAccount(ctx.db, caller.userId, uuid)
  if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
  return account
}

const obstacleOf = ({ abused }: AccountRecord, { isTooFar }: Outcome): Draft['obstacle'] =>
  abused ? 'ACCOUNT_ABUSED' : isTooFar ? 'EXPIRY_TOO_FAR' : null

async function draftRenewal(
  ctx: Context,
  caller: Caller,
  question: Question,
  uuid: string,
  settings: Settings,
): Promise<Draft> {
  const account = await ownAccount(ctx, caller, uuid)
  if (account.vpn_type !== question.accountVPNType || account.tunnel_type !== question.accountTunnelType)
    throw new Refusal(
      'INCOMPLETE_INFORMATION',
      {},
      { accountVPNType: 'vpnType', accountTunnelType: 'tunnelType' },
    )
  const wanted = { days: question.accountDuration, gigabytes: question.accountDataLimit }
  const data = await findDataLimit(ctx.db, uuid)
  const outcome = renewVolume(settings, account, data, wanted, ctx.clock.now())
  const planOnly = await soldByPlanOnly(ctx.db, caller, settings, [{ account, data }])
  const obstacle = planOnly.has(uuid) ? 'PLAN_REQUIRED' : obstacleOf(account, outcome)
  return { ...outcome, plan: null, quoteRenewal: settings.renewal, obstacle }
}

async function draftRenewalByPlan(
  ctx: Context,
  plan: PlanRecord,
  account: AccountRecord,
  settings: Settings,
): Promise<Draft> {
  const data = await findDataLimit(ctx.db, account.uuid)
  const outcome = await renewedByPlan(ctx.db, settings, plan, account, data, ctx.clock.now())
  return { ...outcome, plan, quoteRenewal: 'extend', obstacle: obstacleOf(account, outcome) }
}
