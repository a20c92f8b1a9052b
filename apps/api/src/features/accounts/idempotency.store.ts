import type { Db } from '../../db/database.ts'

interface Claim {
  request_hash: Buffer
  account_uuid: string | null
}

export interface Key extends Claim {
  user_id: number
  key: string
  created_at: Date
}

/** Claims a key for this request, also one that has had its time; null when it is ours, else the request that has it. */
export async function claimKey(tx: Db, key: Key, expiredBefore: Date): Promise<Claim | null> {
  const { user_id: _, key: __, ...request } = key
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values(key)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet(request)
        .where('idempotency_keys.created_at', '<', expiredBefore),
    )
    .returning('key')
    .executeTakeFirst()
  if (claimed) return null
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
