import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

/** Writes a key for one request, also over one that has had its time; false when another request has it. */
export async function claim(
  tx: Db,
  row: Insertable<Schema['idempotency_keys']>,
  expiredBefore: Date,
): Promise<boolean> {
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet(row)
        .where('idempotency_keys.created_at', '<', expiredBefore),
    )
    .returning('key')
    .executeTakeFirst()
  return claimed !== undefined
}

export const holderOf = (
  tx: Db,
  userId: number,
  key: string,
): Promise<{ request_hash: Buffer; account_uuid: string | null; reply: unknown }> =>
  tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'account_uuid', 'reply'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()

export async function keepReply(tx: Db, userId: number, key: string, reply: object): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ reply: JSON.stringify(reply) })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute()
}

export async function purgeKeys(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
