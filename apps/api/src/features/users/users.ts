import { Refusal, type User } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { UserRecord } from '../../db/schema.ts'
import { type By, record } from '../audit/audit.ts'
import { dollars, worthOf } from '../credit/credit.ts'
import { currentSettings } from '../settings/settings.ts'
import * as list from './user-list.store.ts'
import * as store from './users.store.ts'

export {
  findUser,
  findUserByEmail,
  findUserByPhone,
  hasUsers,
  insertUser,
  type LockedUser,
  lockUser,
  lockUserByEmail,
  lockUserByPhone,
  setPasswordHash,
  updateUser,
} from './users.store.ts'

const toUser = (row: list.UserWithAccounts, defaultRate: number): User => {
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
  { limit = 50, ...query }: Omit<list.UserQuery, 'limit'> & { limit?: number | undefined },
) {
  const [{ rows, ...page }, { defaultCreditRate }] = await Promise.all([
    list.listUsers(ctx.db, { ...query, limit }),
    currentSettings(ctx.db),
  ])
  return { items: rows.map((row) => toUser(row, defaultCreditRate)), ...page }
}

/** A user as an administrator sees them now. */
export async function userOf(tx: Db, id: number): Promise<User> {
  const { defaultCreditRate } = await currentSettings(tx)
  return toUser(await list.userWithAccounts(tx, id), defaultCreditRate)
}

/** Changes a user found by e-mail, writes the audit line, answers with the user as they are now. */
export const changeUser = (
  ctx: Context,
  by: By,
  action: string,
  { userEmail, detail }: { userEmail: string; detail: Record<string, string | number | null> },
  change: (user: UserRecord, tx: Db) => Promise<void>,
): Promise<User> =>
  ctx.atomically(async (tx) => {
    const user = await store.lockUserByEmail(tx, userEmail)
    if (!user) throw new Refusal('RESOURCE_NOT_FOUND')
    await change(user, tx)
    await record(ctx, tx, by, action, user.email, detail)
    return userOf(tx, user.id)
  })

export const setPhone = (ctx: Context, by: By, userEmail: string, phone: string | null) =>
  changeUser(ctx, by, 'setuserphone', { userEmail, detail: { phone } }, async (user, tx) => {
    if (!(await store.setPhone(tx, user.id, phone))) throw new Refusal('PHONE_TAKEN')
  })
