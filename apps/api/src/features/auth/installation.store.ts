import type { Db } from '../../db/database.ts'

export async function keepKeyCheck(db: Db, key_check: Buffer): Promise<Buffer> {
  await db
    .insertInto('installation')
    .values({ id: 1, key_check })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db
    .selectFrom('installation')
    .select('key_check')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return row.key_check
}
