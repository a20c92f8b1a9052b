import { type QueryCreator, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { Schema } from '../../db/schema.ts'

const value = sql<string>`value::text`.as('settings')

/** As text, because the same text need not be understood twice; no row when nothing was ever set. */
export const settingsQuery = (db: QueryCreator<Schema>) =>
  db.selectFrom('settings').select(value).where('id', '=', 1)

const read = prepared(settingsQuery)

export const readSettings = async (db: Db): Promise<string | null> =>
  (await read(db, {})).rows[0]?.settings ?? null

/** As they are, and nobody else changes them until this transaction ends; the row is made when there is none. */
export async function lockSettings(tx: Db, now: Date): Promise<string> {
  const row = await tx
    .insertInto('settings')
    .values({ id: 1, value: '{}', updated_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ id: 1 }))
    .returning(value)
    .executeTakeFirstOrThrow()
  return row.settings
}

export async function writeSettings(tx: Db, value: object, now: Date): Promise<void> {
  const row = { value: JSON.stringify(value), updated_at: now }
  await tx
    .insertInto('settings')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}
