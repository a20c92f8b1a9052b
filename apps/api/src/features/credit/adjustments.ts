import {
  type common,
  type Input,
  Refusal,
  type setUserDebtLimit,
  type setUserRate,
  type User,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { LedgerUnit, UserRecord } from '../../db/schema.ts'
import { requireAsSeen } from '../../lib/as-seen.ts'
import { cents, dollars } from '../../lib/money.ts'
import type { Actor } from '../audit/audit.ts'
import { announce } from '../events/events.ts'
import { answerOnce, type Request } from '../idempotency/idempotency.ts'
import { changeUser, updateUser } from '../users/users.ts'
import { post } from './ledger.store.ts'
import { maxBalance } from './money.ts'

const shortage = { points: 'INSUFFICIENT_CREDIT', tunnelCredit: 'INSUFFICIENT_TUNNEL_CREDIT' } as const
const balanceOf = { points: 'points', tunnelCredit: 'tunnel_credit', cents: 'debt_cents' } as const

interface Leg {
  unit: LedgerUnit
  amount: number
}

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
  basedOn?: number | undefined
}

/** Executes each request once per idempotency key; the program itself sends none. */
const adjustment =
  (action: string, unit: LedgerUnit) =>
  (ctx: Context, by: Actor, input: Adjustment, request: Request | null = null): Promise<User> =>
    ctx.atomically((tx) => {
      const { userEmail, amount, reason, basedOn } = input
      const [inUnits, shown] = unit === 'cents' ? [cents, dollars] : [itself, itself]
      const change = async (user: UserRecord) => {
        const from = shown(user[balanceOf[unit]])
        requireAsSeen({ from: basedOn }, { from })
        const leg = { unit, amount: inUnits(amount) }
        await adjust(ctx, tx, by.email, user, leg, reason)
        return { from, to: shown(user[balanceOf[unit]] + leg.amount), amount, reason }
      }
      const work = () => changeUser(ctx, tx, by, { action, userEmail, change })
      return request ? answerOnce(tx, request, ctx.clock.now(), work) : work()
    })

const itself = (amount: number) => amount

export const adjustCredit = adjustment('adjustusercredit', 'points')
export const adjustTunnelCredit = adjustment('adjustusertunnelcredit', 'tunnelCredit')
export const adjustDebt = adjustment('adjustuserdebt', 'cents')

type RateChange = Omit<Input<typeof setUserRate>, keyof typeof common>

export const setRate = (
  ctx: Context,
  by: Actor,
  { userEmail, userCustomCreditRate: to, basedOn }: RateChange,
) =>
  ctx.atomically((tx) =>
    changeUser(ctx, tx, by, {
      action: 'setuserrate',
      userEmail,
      change: async ({ id, credit_rate: from }) => {
        requireAsSeen({ from: basedOn }, { from })
        await updateUser(tx, id, { credit_rate: to })
        await announce(ctx, tx, id, [{ type: 'balance' }])
        return { from, to }
      },
    }),
  )

type LimitChange = Omit<Input<typeof setUserDebtLimit>, keyof typeof common>

export const setDebtLimit = (ctx: Context, by: Actor, { userEmail, value: to, basedOn }: LimitChange) =>
  ctx.atomically((tx) =>
    changeUser(ctx, tx, by, {
      action: 'setuserdebtlimit',
      userEmail,
      change: async ({ id, debt_limit_cents }) => {
        const from = dollars(debt_limit_cents)
        requireAsSeen({ from: basedOn }, { from })
        await updateUser(tx, id, { debt_limit_cents: cents(to) })
        await announce(ctx, tx, id, [{ type: 'balance' }])
        return { from, to }
      },
    }),
  )
