import { day, type Input, type quote, type quoteAccount, Refusal, type Settings } from '@kelid/contract'
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
import { chosenWaysOf, targetOf } from './purchase.ts'
import { daysLeft, type Outcome, pricedOf, renew } from './renewal.ts'

type Question = Input<typeof quoteAccount>
type Quote = z.input<typeof quote>

interface Plan extends Outcome {
  readonly priced: Priced
  readonly quoteRenewal: Settings['renewal'] | null
  readonly obstacle: 'NO_CAPACITY' | 'ACCOUNT_ABUSED' | 'EXPIRY_TOO_FAR' | null
}

export async function quoteFor(ctx: Context, caller: Caller, question: Question): Promise<Quote> {
  const user = await findUser(ctx.db, caller.userId)
  if (!user) throw new Refusal('UNAUTHENTICATED')
  const settings = await currentSettings(ctx.db)
  const plan = question.accountUUID
    ? await planRenewal(ctx, caller, question, question.accountUUID, settings)
    : await planCreation(ctx, question)
  const wallet = walletOf(user, settings)
  const cost = priceOf(settings, plan.priced, plan.chargedDays)
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
    accountDurationAfter: daysLeft(plan.expires, ctx.clock.now()),
    accountExpireDate: plan.expires.toISOString(),
    quoteRefusal: plan.obstacle ?? (refusal?.type as Quote['quoteRefusal']) ?? null,
  }
}

async function planCreation(ctx: Context, question: Question): Promise<Plan> {
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
  return {
    priced: { vpnType, tunnelType, chosenWays: chosen.length },
    expires: new Date(ctx.clock.now().getTime() + days * day),
    chargedDays: days,
    lostDays: 0,
    isTooFar: false,
    quoteRenewal: null,
    obstacle: rooms.every(Boolean) ? null : 'NO_CAPACITY',
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
  const outcome = renew(settings.renewal, account.expires_at, question.accountDuration, ctx.clock.now())
  const obstacle = account.abused ? 'ACCOUNT_ABUSED' : outcome.isTooFar ? 'EXPIRY_TOO_FAR' : null
  return { ...outcome, priced: pricedOf(account), quoteRenewal: settings.renewal, obstacle }
}
