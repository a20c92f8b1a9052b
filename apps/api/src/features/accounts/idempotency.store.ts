import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'

interface Claim {
  request_hash: Buffer
  account_uuid: string | null
}

export interface Key extends Claim {
  user_id: number
  key: string
  created_at: Date
}

const insertOrRevive = prepared((tx, key: Key & { expiredBefore: Date }) => {
  const request = {
    request_hash: key.request_hash,
    account_uuid: key.account_uuid,
    created_at: key.created_at,
  }
  return tx
    .insertInto('idempotency_keys')
    .values({ user_id: key.user_id, key: key.key, ...request })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet(request)
        .where('idempotency_keys.created_at', '<', key.expiredBefore),
    )
    .returning('key')
})

/** Claims a key for this request, also one that has had its time; null when it is ours, else the request that has it. */
export async function claimKey(tx: Db, key: Key, expiredBefore: Date): Promise<Claim | null> {
  const claimed = await insertOrRevive(tx, { ...key, expiredBefore })
  if (claimed.rows.length > 0) return null
  return tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'account_uuid'])
    .where('user_id', '=', key.user_id)
    .where('key', '=', key.key)
    .executeTakeFirstOrThrow()
}

export async function purgeKeys(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
