import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export interface Key {
  userId: number
  /** null when the request came without one. */
  key: string | null
  requestHash: Buffer
  accountUUID: string
  at: Date
  expiredBefore: Date
}

/** Claims a key for this request, also one that has had its time; no row when another request has it. */
export const claiming = (key: Key) => sql<{ key: string }>`
  INSERT INTO idempotency_keys (user_id, key, request_hash, account_uuid, created_at)
  SELECT ${key.userId}, ${key.key}, ${key.requestHash}, ${key.accountUUID}, ${key.at} WHERE ${key.key}::text IS NOT NULL
  ON CONFLICT (user_id, key) DO UPDATE
    SET request_hash = excluded.request_hash, account_uuid = excluded.account_uuid, created_at = excluded.created_at
    WHERE idempotency_keys.created_at < ${key.expiredBefore}
  RETURNING key`

export const holderOf = (
  tx: Db,
  userId: number,
  key: string,
): Promise<{ request_hash: Buffer; account_uuid: string | null }> =>
  tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'account_uuid'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()

export async function purgeKeys(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
