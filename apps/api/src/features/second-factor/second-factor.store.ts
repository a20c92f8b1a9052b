import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { SecondFactorRow } from '../../db/schema.ts'

export type SecondFactor = Selectable<SecondFactorRow>

export const findSecondFactor = (db: Db, userId: number): Promise<SecondFactor | undefined> =>
  db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** Replaces an unconfirmed factor; false if one is already on. */
export async function beginSecondFactor(
  db: Db,
  begun: Pick<SecondFactor, 'user_id' | 'secret' | 'started_at'>,
): Promise<boolean> {
  const { secret, started_at } = begun
  const row = await db
    .insertInto('second_factors')
    .values(begun)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret, started_at })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function confirm(db: Db, userId: number, now: Date): Promise<void> {
  await db.updateTable('second_factors').set({ confirmed_at: now }).where('user_id', '=', userId).execute()
}

/** false if this or a later step was used, so of parallel requests only one succeeds. */
export async function takeStep(db: Db, userId: number, step: number): Promise<boolean> {
  const result = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function takeRecoveryCode(db: Db, userId: number, hash: Buffer): Promise<boolean> {
  const result = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function replaceRecoveryCodes(db: Db, userId: number, hashes: readonly Buffer[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute()
}

export const countRecoveryCodes = async (db: Db, userId: number): Promise<number> =>
  (
    await db
      .selectFrom('recovery_codes')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
  ).count

export async function deleteSecondFactor(db: Db, userId: number): Promise<boolean> {
  const result = await db.deleteFrom('second_factors').where('user_id', '=', userId).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** One statement, because every call of an administrator runs it. */
export async function lacksRequired(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM settings WHERE id = 1 AND value->>'secondFactor' = 'required' AND NOT EXISTS (
      SELECT FROM second_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`.execute(db)
  return rows.length > 0
}
