import { type Movement, Refusal, type Settings } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { announce } from '../events/events.ts'
import type { UserRecord } from '../users/users.ts'
import { type Leg, post } from './ledger.store.ts'
import { type Cost, maxBalance, type Settlement, settle, type Wallet } from './money.ts'
import { type Bought, reasonOf } from './purchase-reason.ts'

export const walletOf = (user: UserRecord, settings: Settings): Wallet => ({
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

/** Takes the cost from a user whose row this transaction has locked, in advance and in full, or refuses. Announcing is up to the caller, who has more to tell. */
export async function charge(
  ctx: Context,
  tx: Db,
  user: UserRecord,
  settings: Settings,
  cost: Cost,
  purchase: Purchase,
): Promise<void> {
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
  if (settlement.lentPoints > 0)
    await post(tx, { ...common, movement: 'debt', reason: 'points bought on debt' }, [
      { unit: 'points', amount: settlement.lentPoints },
      { unit: 'cents', amount: settlement.lentCents },
    ])
  await post(tx, { ...common, movement: purchase.movement, reason: reasonOf(purchase.bought) }, [
    { unit: 'points', amount: -cost.points },
    { unit: 'tunnelCredit', amount: -cost.tunnelCredit },
  ])
}

const shortage = { points: 'INSUFFICIENT_CREDIT', tunnelCredit: 'INSUFFICIENT_TUNNEL_CREDIT' } as const
const balanceOf = { points: 'points', tunnelCredit: 'tunnel_credit', cents: 'debt_cents' } as const

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
  const posting = {
    at: ctx.clock.now(),
    movement: 'adjustment' as const,
    userId: user.id,
    actor: 'administrator' as const,
    actorEmail: adminEmail,
    reason,
    accountUUID: null,
    accountName: null,
  }
  await post(tx, posting, [leg])
  await announce(ctx, tx, user.id, [{ type: 'balance' }])
}

export { findImbalances } from './ledger.store.ts'
export { cents, dollars, priceOf, settle, worthOf } from './money.ts'
