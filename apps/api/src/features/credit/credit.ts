import { type Movement, type quotedCharge, Refusal, type Settings } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { cents } from '../../lib/money.ts'
import { settingsOf } from '../settings/settings.ts'
import { post, type SoldPlan } from './ledger.store.ts'
import { type Cost, settle, type Wallet } from './money.ts'
import type { Payer } from './payer.store.ts'
import * as store from './payer.store.ts'
import { type Bought, reasonOf } from './purchase-reason.ts'

/** Locks the payer until the transaction ends and reads the current prices. Refuses a suspended user. */
export async function lockPayer(tx: Db, userId: number): Promise<{ user: Payer; settings: Settings }> {
  const { settings, suspended_at, ...user } = await store.lockPayer(tx, userId)
  if (suspended_at) throw new Refusal('UNAUTHENTICATED')
  return { user, settings: settingsOf(settings) }
}

export const walletOf = (user: Payer, settings: Settings): Wallet => ({
  points: user.points,
  tunnelCredit: user.tunnel_credit,
  debtCents: user.debt_cents,
  debtLimitCents: user.debt_limit_cents,
  rate: user.credit_rate ?? settings.defaultCreditRate,
})

export interface Purchase {
  movement: Extract<Movement, 'create' | 'renew' | 'data'>
  bought: Bought
  accountUUID: string
  accountName: string
  /** null: without one. */
  plan: SoldPlan | null
}

export interface Payment {
  readonly cost: Cost
  readonly lentPoints: number
  readonly lentCents: number
}

export type QuotedPrice = { [Name in keyof typeof quotedCharge]?: number | undefined }

export function requireAsQuoted(
  { quotedPoints, quotedTunnelCredit, quotedDebt }: QuotedPrice,
  { points, tunnelCredit }: Cost,
  lentCents: number,
): void {
  const isAsQuoted =
    (quotedPoints ?? points) === points &&
    (quotedTunnelCredit ?? tunnelCredit) === tunnelCredit &&
    (quotedDebt === undefined || cents(quotedDebt) === lentCents)
  if (!isAsQuoted) throw new Refusal('QUOTE_CHANGED')
}

export function paymentOf(user: Payer, settings: Settings, cost: Cost, quoted: QuotedPrice): Payment {
  const { lentPoints, lentCents, refusal } = settle(walletOf(user, settings), cost)
  requireAsQuoted(refusal ? { ...quoted, quotedDebt: undefined } : quoted, cost, lentCents)
  if (refusal) throw new Refusal(refusal.type, { missing: refusal.missing })
  return { cost, lentPoints, lentCents }
}

/** Books the loan first, so that no balance becomes negative. */
export async function charge(
  ctx: Context,
  tx: Db,
  user: Payer,
  { cost, lentPoints, lentCents }: Payment,
  { movement, bought, accountUUID, accountName, plan }: Purchase,
): Promise<void> {
  const origin = { at: ctx.clock.now(), userId: user.id, actor: 'user', actorEmail: user.email } as const
  const account = { accountUUID, accountName }
  const loan = { points: lentPoints, tunnelCredit: 0, cents: lentCents }
  const price = { points: -cost.points, tunnelCredit: -cost.tunnelCredit, cents: 0 }
  await post(tx, { ...origin, ...account, movement: 'debt', reason: 'points bought on debt', ...loan })
  await post(tx, { ...origin, ...account, movement, reason: reasonOf(bought), plan, ...price })
}

export { findImbalances, type SoldPlan } from './ledger.store.ts'
