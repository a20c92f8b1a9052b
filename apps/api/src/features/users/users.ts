import { Refusal, type RefusalType, type User } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { UserRecord } from '../../db/schema.ts'
import { requireAsSeen } from '../../lib/as-seen.ts'
import { dollars, worthOf } from '../../lib/money.ts'
import { type Actor, type Detail, record } from '../audit/audit.ts'
import { currentSettings } from '../settings/settings.ts'
import * as list from './user-list.store.ts'
import * as store from './users.store.ts'

export { debtByAge } from './user-list.store.ts'
export {
  contactOf,
  findUser,
  findUserByEmail,
  findUserByPhone,
  hasUsers,
  insertUser,
  type LockedUser,
  lockAdminsAnd,
  lockUserByEmail,
  lockUserByPhone,
  setPasswordHash,
  updateUser,
} from './users.store.ts'

/** For a user's own acts: refuses if the user was suspended while waiting. */
export async function lockUser(
  tx: Db,
  userId: number,
  refusal: RefusalType = 'UNAUTHENTICATED',
): Promise<store.LockedUser> {
  const user = await store.lockUser(tx, userId)
  if (user.suspended_at) throw new Refusal(refusal)
  return user
}

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
    userDebtSince: row.debt_since?.toISOString() ?? null,
    userCreditRate: rate,
    userCustomCreditRate: row.credit_rate,
    userCreatedDate: row.created_at.toISOString(),
    userSuspended: row.suspended_at !== null,
    accounts: row.accounts,
  }
}

export async function listUsers(
  ctx: Context,
  { limit = 50, ...query }: Omit<list.UserQuery, 'limit'> & { limit?: number | undefined },
) {
  const [{ rows, ...page }, { defaultCreditRate }] = await Promise.all([
    list.listUsers(ctx.db, { ...query, limit }, ctx.clock.now()),
    currentSettings(ctx.db),
  ])
  return { items: rows.map((row) => toUser(row, defaultCreditRate)), ...page }
}

export async function userOf(tx: Db, id: number): Promise<User> {
  const { defaultCreditRate } = await currentSettings(tx)
  return toUser(await list.userWithAccounts(tx, id), defaultCreditRate)
}

interface UserChange {
  action: string
  userEmail: string
  change: (user: UserRecord) => Promise<Detail>
}

export async function changeUser(
  ctx: Context,
  tx: Db,
  by: Actor,
  { action, userEmail, change }: UserChange,
): Promise<User> {
  const user = await store.lockUserByEmail(tx, userEmail)
  if (!user) throw new Refusal('RESOURCE_NOT_FOUND')
  const detail = await change(user)
  await record(ctx, tx, by, action, user.email, detail)
  return userOf(tx, user.id)
}

interface PhoneChange {
  userEmail: string
  userPhone: string | null
  basedOn?: string | null | undefined
}

/** Whom the user's customers ask; '' for the operator's contact. */
export const setContact = (ctx: Context, userId: number, typed: string): Promise<{ userContact: string }> =>
  ctx.atomically(async (tx) => {
    await lockUser(tx, userId)
    const userContact = typed.trim()
    await store.updateUser(tx, userId, { contact: userContact })
    return { userContact }
  })

export const setPhone = (ctx: Context, by: Actor, { userEmail, userPhone: to, basedOn }: PhoneChange) =>
  ctx.atomically((tx) =>
    changeUser(ctx, tx, by, {
      action: 'setuserphone',
      userEmail,
      change: async ({ id, phone: from }) => {
        requireAsSeen({ from: basedOn }, { from })
        if (!(await store.setPhone(tx, id, to))) throw new Refusal('PHONE_TAKEN')
        return { from, to }
      },
    }),
  )
