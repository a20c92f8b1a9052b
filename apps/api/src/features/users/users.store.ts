import { sql } from 'kysely'
import { type Db, first } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import type { UserRecord } from '../../db/schema.ts'

/** undefined if the e-mail is taken; the unique index decides, so two requests cannot both pass. */
export const insertUser = (
  db: Db,
  user: { email: string; password_hash: string; level: number; created_at: Date },
): Promise<UserRecord | undefined> =>
  db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()

export const findUserByEmail = (db: Db, email: string): Promise<UserRecord | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

export const findUser = (db: Db, id: number): Promise<UserRecord | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

const columns = [
  'id',
  'email',
  'password_hash',
  'level',
  'points',
  'tunnel_credit',
  'debt_cents',
  'debt_limit_cents',
  'credit_rate',
  'suspended_at',
] as const satisfies readonly (keyof UserRecord)[]

const lockedColumns = sql.raw(columns.join(', '))
export type LockedUser = Pick<UserRecord, (typeof columns)[number]>

/** First in the lock order user -> account -> server. */
export async function lockUser(tx: Db, userId: number): Promise<LockedUser> {
  const user = await first(
    tx,
    sql<LockedUser>`SELECT ${lockedColumns} FROM users WHERE id = ${userId} FOR NO KEY UPDATE`,
  )
  if (!user) throw new Error(`there is no user ${userId}`)
  return user
}

export const contactOf = async (db: Db, id: number): Promise<string> =>
  (await db.selectFrom('users').select('contact').where('id', '=', id).executeTakeFirstOrThrow()).contact

export const lockUserByEmail = (tx: Db, email: string): Promise<UserRecord | undefined> =>
  tx.selectFrom('users').selectAll().where('email', '=', email).forNoKeyUpdate().executeTakeFirst()

export async function setPasswordHash(db: Db, id: number, password_hash: string): Promise<void> {
  await db.updateTable('users').set({ password_hash }).where('id', '=', id).execute()
}

export const hasUsers = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined

export const findUserByPhone = (db: Db, phone: string): Promise<UserRecord | undefined> =>
  db.selectFrom('users').selectAll().where('phone', '=', phone).executeTakeFirst()

export const lockUserByPhone = (tx: Db, phone: string): Promise<UserRecord | undefined> =>
  tx.selectFrom('users').selectAll().where('phone', '=', phone).forNoKeyUpdate().executeTakeFirst()

export async function updateUser(
  tx: Db,
  id: number,
  change: Partial<
    Pick<
      UserRecord,
      | 'credit_rate'
      | 'debt_limit_cents'
      | 'level'
      | 'suspended_at'
      | 'suspended_reason'
      | 'accounts_closed'
      | 'contact'
    >
  >,
): Promise<void> {
  await tx.updateTable('users').set(change).where('id', '=', id).execute()
}

export async function setPhone(tx: Db, id: number, phone: string | null): Promise<boolean> {
  try {
    await tx.updateTable('users').set({ phone }).where('id', '=', id).execute()
    return true
  } catch (error) {
    if (isUniqueViolation(error, 'users_phone_key')) return false
    throw error
  }
}

/** A common lock order: parallel demotions neither deadlock nor remove the last administrator. */
export const lockAdminsAnd = (tx: Db, email: string, above: number) =>
  tx
    .selectFrom('users')
    .select(['id', 'email', 'level', 'suspended_at', 'suspended_reason', 'accounts_closed'])
    .where((or) => or.or([or('level', '>', above), or('email', '=', email)]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
