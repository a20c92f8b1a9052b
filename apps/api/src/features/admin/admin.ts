import { isAdminLevel, limits, Refusal, type User } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { type By, record } from '../audit/audit.ts'
import { endSessions } from '../auth/auth.ts'
import { adjust, cents, dollars, worthOf } from '../credit/credit.ts'
import { currentSettings } from '../settings/settings.ts'
import { lockUserByEmail, type UserRecord } from '../users/users.ts'
import * as store from './admin.store.ts'

const toUser = (row: store.UserWithAccounts, defaultRate: number): User => {
  const rate = row.credit_rate ?? defaultRate
  return {
    userEmail: row.email,
    userPhone: row.phone,
    userLevel: row.level,
    userCredit: row.points,
    userCreditDollars: worthOf(row.points, rate),
    userTunnelCredit: row.tunnel_credit,
    userDebt: dollars(row.debt_cents),
    userDebtLimit: dollars(row.debt_limit_cents),
    userCreditRate: rate,
    userCustomCreditRate: row.credit_rate,
    userCreatedDate: row.created_at.toISOString(),
    accounts: row.accounts,
  }
}

export async function listUsers(
  ctx: Context,
  { limit = 50, ...query }: Omit<store.UserQuery, 'limit'> & { limit?: number | undefined },
) {
  const [{ rows, ...page }, { defaultCreditRate }] = await Promise.all([
    store.listUsers(ctx.db, { ...query, limit }),
    currentSettings(ctx.db),
  ])
  return { items: rows.map((row) => toUser(row, defaultCreditRate)), ...page }
}

/** Changes a user found by e-mail, writes the audit line, answers with the user as they are now. */
const changeUser = (
  ctx: Context,
  by: By,
  action: string,
  { userEmail, detail }: { userEmail: string; detail: Record<string, string | number | null> },
  change: (user: UserRecord, tx: Db) => Promise<void>,
): Promise<User> =>
  ctx.atomically(async (tx) => {
    const user = await lockUserByEmail(tx, userEmail)
    if (!user) throw new Refusal('RESOURCE_NOT_FOUND')
    await change(user, tx)
    await record(ctx, tx, by, action, user.email, detail)
    const { defaultCreditRate } = await currentSettings(tx)
    return toUser(await store.userWithAccounts(tx, user.id), defaultCreditRate)
  })

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
    store.updateUser(tx, user.id, { credit_rate: rate }),
  )

export const setDebtLimit = (ctx: Context, by: By, userEmail: string, limit: number) =>
  changeUser(ctx, by, 'setuserdebtlimit', { userEmail, detail: { limit } }, (user, tx) =>
    store.updateUser(tx, user.id, { debt_limit_cents: cents(limit) }),
  )

export const setPhone = (ctx: Context, by: By, userEmail: string, phone: string | null) =>
  changeUser(ctx, by, 'setuserphone', { userEmail, detail: { phone } }, async (user, tx) => {
    if (!(await store.setPhone(tx, user.id, phone))) throw new Refusal('PHONE_TAKEN')
  })

/** Everybody keeps at least one administrator; whoever's level changes signs in again. */
export const setLevel = (ctx: Context, by: By, userEmail: string, level: number): Promise<User> =>
  ctx.atomically(async (tx) => {
    const locked = await store.lockAdminsAnd(tx, userEmail, limits.adminLevelAbove)
    const user = locked.find(({ email }) => email === userEmail)
    if (!user) throw new Refusal('RESOURCE_NOT_FOUND')
    const admins = locked.filter((one) => isAdminLevel(one.level))
    const isLastAdmin = admins.length === 1 && admins[0] === user
    if (isLastAdmin && !isAdminLevel(level)) throw new Refusal('LAST_ADMIN')
    await store.updateUser(tx, user.id, { level })
    await endSessions(ctx, tx, user.id)
    await record(ctx, tx, by, 'setuserlevel', user.email, { from: user.level, to: level })
    const { defaultCreditRate } = await currentSettings(tx)
    return toUser(await store.userWithAccounts(tx, user.id), defaultCreditRate)
  })
