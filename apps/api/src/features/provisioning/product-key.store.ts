import type { Db } from '../../db/database.ts'

export const findKey = (db: Db): Promise<{ private: Buffer; public: string } | undefined> =>
  db.selectFrom('ssh_key').select(['private', 'public']).where('id', '=', 1).executeTakeFirst()

export async function keepKey(
  db: Db,
  key: { private: Buffer; public: string; created_at: Date },
): Promise<void> {
  await db
    .insertInto('ssh_key')
    .values({ id: 1, ...key })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
