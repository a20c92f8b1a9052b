import { type Movement, Refusal, type Settings } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { LedgerUnit, UserRecord } from '../../db/schema.ts'
import { announce } from '../events/events.ts'
import { type Posting, post } from './ledger.store.ts'
import { type Cost, maxBalance, type Settlement, settle, type Wallet } from './money.ts'
import { type Bought, reasonOf } from './purchase-reason.ts'

/** Of a user, what paying asks for. */
type Payer = Pick<
  UserRecord,
  'id' | 'email' | 'points' | 'tunnel_credit' | 'debt_cents' | 'debt_limit_cents' | 'credit_rate'
>

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

/** Throws the refusal that a settlement holds, with what is missing. */
export function refuseUnpaid({ refusal }: Settlement): void {
  if (refusal) throw new Refusal(refusal.type, { missing: refusal.missing })
}

export interface Payment {
  /** What is lent first, when points are missing. */
  loan: Posting | null
  charge: Posting
}

/** What a user whose row this transaction has locked is to pay, in advance and in full; or it is refused. */
export function paymentOf(
  ctx: Context,
  user: Payer,
  settings: Settings,
  cost: Cost,
  purchase: Purchase,
): Payment {
  const settlement = settle(walletOf(user, settings), cost)
  refuseUnpaid(settlement)
  const common = {
    at: ctx.clock.now(),
    userId: user.id,
    actor: 'user' as const,
    actorEmail: user.email,
    accountUUID: purchase.accountUUID,
    accountName: purchase.accountName,
  }
  const lent = { points: settlement.lentPoints, tunnelCredit: 0, cents: settlement.lentCents }
  const loan = { ...common, movement: 'debt' as const, reason: 'points bought on debt', ...lent }
  return {
    loan: settlement.lentPoints > 0 ? loan : null,
    charge: {
      ...common,
      movement: purchase.movement,
      reason: reasonOf(purchase.bought),
      points: -cost.points,
      tunnelCredit: -cost.tunnelCredit,
      cents: 0,
    },
  }
}

const shortage = { points: 'INSUFFICIENT_CREDIT', tunnelCredit: 'INSUFFICIENT_TUNNEL_CREDIT' } as const
const balanceOf = { points: 'points', tunnelCredit: 'tunnel_credit', cents: 'debt_cents' } as const

interface Leg {
  unit: LedgerUnit
  amount: number
}

/** A correction by an administrator: a new entry with a reason, never below zero. */
export async function adjust(
  ctx: Context,
  tx: Db,
  adminEmail: string,
  user: UserRecord,
  leg: Leg,
  reason: string,
): Promise<void> {
  const after = user[balanceOf[leg.unit]] + leg.amount
  if (after > maxBalance) throw new Refusal('BALANCE_TOO_LARGE')
  if (after < 0)
    throw leg.unit === 'cents'
      ? new Refusal('DEBT_TOO_SMALL', { debt: (user.debt_cents / 100).toFixed(2) })
      : new Refusal(shortage[leg.unit], { missing: -after })
  const nothing = { points: 0, tunnelCredit: 0, cents: 0 }
  await post(tx, {
    ...nothing,
    [leg.unit]: leg.amount,
    at: ctx.clock.now(),
    movement: 'adjustment' as const,
    userId: user.id,
    actor: 'administrator' as const,
    actorEmail: adminEmail,
    reason,
    accountUUID: null,
    accountName: null,
  })
  await announce(ctx, tx, user.id, [{ type: 'balance' }])
}

export { checkPosted, entriesWritten, findImbalances, type Posting, post, posting } from './ledger.store.ts'
export { cents, dollars, priceOf, settle, worthOf } from './money.ts'
