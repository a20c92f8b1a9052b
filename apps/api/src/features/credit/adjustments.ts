import type { Context } from '../../context.ts'
import type { By } from '../audit/audit.ts'
import { changeUser, updateUser } from '../users/users.ts'
import { adjust } from './credit.ts'
import { cents } from './money.ts'

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
  changeUser(ctx, by, 'setuserrate', { userEmail, detail: { rate } }, (user, tx) =>
    updateUser(tx, user.id, { credit_rate: rate }),
  )

export const setDebtLimit = (ctx: Context, by: By, userEmail: string, limit: number) =>
  changeUser(ctx, by, 'setuserdebtlimit', { userEmail, detail: { limit } }, (user, tx) =>
    updateUser(tx, user.id, { debt_limit_cents: cents(limit) }),
  )
