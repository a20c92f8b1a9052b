import { limits } from '@kelid/contract'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

type Claim = Omit<Selectable<Schema['idempotency_keys']>, 'reply'>

/**
 * Replaces an expired key; false if another request has the key or the user has reached the limit of keys. The key of a
 * purchase takes less space than the purchase, so it is neither limited nor counted: thousands would be counted each time.
 */
export async function claim(
  tx: Db,
  { user_id, key, request_hash, account_uuid, created_at }: Claim,
  expiredBefore: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`INSERT INTO idempotency_keys AS held
      (user_id, key, request_hash, account_uuid, reply, created_at)
    SELECT ${user_id}::bigint, ${key}, ${request_hash}::bytea, ${account_uuid}::uuid, NULL, ${created_at}::timestamptz
    WHERE ${account_uuid}::uuid IS NOT NULL OR (SELECT count(*) FROM (SELECT FROM idempotency_keys
      WHERE user_id = ${user_id} AND account_uuid IS NULL AND created_at >= ${expiredBefore}
      LIMIT ${limits.keysPerUser}) AS kept) < ${limits.keysPerUser}
    ON CONFLICT (user_id, key) DO UPDATE
      SET request_hash = excluded.request_hash, account_uuid = excluded.account_uuid, reply = NULL,
        created_at = excluded.created_at
      WHERE held.created_at < ${expiredBefore}`.execute(tx)
  return numAffectedRows === 1n
}

export interface StoredRequest {
  request_hash: Buffer
  account_uuid: string | null
  reply: unknown
}

export const holderOf = (
  tx: Db,
  userId: number,
  key: string,
  expiredBefore: Date,
): Promise<StoredRequest | undefined> =>
  tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'account_uuid', 'reply'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('created_at', '>=', expiredBefore)
    .executeTakeFirst()

export async function keepReply(tx: Db, userId: number, key: string, reply: object): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ reply: JSON.stringify(reply) })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute()
}

export async function release(tx: Db, userId: number, key: string): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('user_id', '=', userId).where('key', '=', key).execute()
}

export async function purgeKeys(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
