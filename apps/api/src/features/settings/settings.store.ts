import { sql } from 'kysely'
import { type Db, first } from '../../db/database.ts'

const onlyRow = 1

export const readSettings = async (db: Db): Promise<unknown> =>
  (await first(db, sql<{ value: unknown }>`SELECT value FROM settings WHERE id = ${onlyRow}`))?.value

export async function lockSettings(tx: Db, now: Date): Promise<unknown> {
  const { value } = await tx
    .insertInto('settings')
    .values({ id: 1, value: '{}', updated_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ id: 1 }))
    .returning('value')
    .executeTakeFirstOrThrow()
  return value
}

export async function writeSettings(tx: Db, value: object, now: Date): Promise<void> {
  const row = { value: JSON.stringify(value), updated_at: now }
  await tx
    .insertInto('settings')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}
