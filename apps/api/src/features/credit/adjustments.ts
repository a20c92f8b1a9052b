import { Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { LedgerUnit, UserRecord } from '../../db/schema.ts'
import type { By } from '../audit/audit.ts'
import { announce } from '../events/events.ts'
import { changeUser, updateUser } from '../users/users.ts'
import { post } from './ledger.store.ts'
import { cents, maxBalance } from './money.ts'

const shortage = { points: 'INSUFFICIENT_CREDIT', tunnelCredit: 'INSUFFICIENT_TUNNEL_CREDIT' } as const
const balanceOf = { points: 'points', tunnelCredit: 'tunnel_credit', cents: 'debt_cents' } as const

interface Leg {
  unit: LedgerUnit
  amount: number
}

/** A correction by an administrator: a new entry with a reason, never below zero. */
async function adjust(
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

interface Adjustment {
  userEmail: string
  amount: number
  reason: string
}

const adjustment =
  (action: string, unit: 'points' | 'tunnelCredit' | 'cents') =>
  (ctx: Context, by: By, { userEmail, amount, reason }: Adjustment) =>
    changeUser(ctx, by, action, { userEmail, detail: { amount, reason } }, (user, tx) =>
      adjust(ctx, tx, by.email, user, { unit, amount: unit === 'cents' ? cents(amount) : amount }, reason),
    )

export const adjustCredit = adjustment('adjustusercredit', 'points')
export const adjustTunnelCredit = adjustment('adjustusertunnelcredit', 'tunnelCredit')
export const adjustDebt = adjustment('adjustuserdebt', 'cents')

export const setRate = (ctx: Context, by: By, userEmail: string, rate: number | null) =>
  changeUser(ctx, by, 'setuserrate', { userEmail, detail: { rate } }, async (user, tx) => {
    await updateUser(tx, user.id, { credit_rate: rate })
    await announce(ctx, tx, user.id, [{ type: 'balance' }])
  })

export const setDebtLimit = (ctx: Context, by: By, userEmail: string, limit: number) =>
  changeUser(ctx, by, 'setuserdebtlimit', { userEmail, detail: { limit } }, async (user, tx) => {
    await updateUser(tx, user.id, { debt_limit_cents: cents(limit) })
    await announce(ctx, tx, user.id, [{ type: 'balance' }])
  })
