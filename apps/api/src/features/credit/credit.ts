import { type Movement, type quotedCharge, Refusal, type Settings } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { cents } from '../../lib/money.ts'
import { settingsOf } from '../settings/settings.ts'
import { post } from './ledger.store.ts'
import { type Cost, settle, type Wallet } from './money.ts'
import type { Payer } from './payer.store.ts'
import * as store from './payer.store.ts'
import { type Bought, reasonOf } from './purchase-reason.ts'

/** Who pays, locked until the transaction ends, and the prices of the moment. Whoever was suspended meanwhile buys nothing. */
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
  movement: Extract<Movement, 'create' | 'renew'>
  bought: Bought
  accountUUID: string
  accountName: string
}

export interface Payment {
  readonly cost: Cost
  /** Points that are missing and lent, and the debt they make. */
  readonly lentPoints: number
  readonly lentCents: number
}

/** The price that somebody was shown, as far as they say. */
export type Quoted = { [Name in keyof typeof quotedCharge]?: number | undefined }

/** Whoever was shown a price pays that one or nothing. */
export function requireAsQuoted(
  { quotedPoints, quotedTunnelCredit, quotedDebt }: Quoted,
  { points, tunnelCredit }: Cost,
  lentCents: number,
): void {
  const isAsQuoted =
    (quotedPoints ?? points) === points &&
    (quotedTunnelCredit ?? tunnelCredit) === tunnelCredit &&
    (quotedDebt === undefined || cents(quotedDebt) === lentCents)
  if (!isAsQuoted) throw new Refusal('QUOTE_CHANGED')
}

/** How somebody, whose row this transaction has locked, pays a cost in advance, in full and as quoted; or it is refused. */
export function paymentOf(user: Payer, settings: Settings, cost: Cost, quoted: Quoted): Payment {
  const { lentPoints, lentCents, refusal } = settle(walletOf(user, settings), cost)
  requireAsQuoted(refusal ? { ...quoted, quotedDebt: undefined } : quoted, cost, lentCents)
  if (refusal) throw new Refusal(refusal.type, { missing: refusal.missing })
  return { cost, lentPoints, lentCents }
}

/** Takes a payment: what is lent comes first, so that no balance is ever below zero. */
export async function charge(
  ctx: Context,
  tx: Db,
  user: Payer,
  { cost, lentPoints, lentCents }: Payment,
  { movement, bought, accountUUID, accountName }: Purchase,
): Promise<void> {
  const by = { at: ctx.clock.now(), userId: user.id, actor: 'user', actorEmail: user.email } as const
  const what = { accountUUID, accountName }
  const loan = { points: lentPoints, tunnelCredit: 0, cents: lentCents }
  const price = { points: -cost.points, tunnelCredit: -cost.tunnelCredit, cents: 0 }
  await post(tx, { ...by, ...what, movement: 'debt', reason: 'points bought on debt', ...loan })
  await post(tx, { ...by, ...what, movement, reason: reasonOf(bought), ...price })
}

export { findImbalances } from './ledger.store.ts'
