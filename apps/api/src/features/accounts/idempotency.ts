import { createHash } from 'node:crypto'
import { type Call, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { type AccountRecord, findOwnAccount } from './accounts.store.ts'
import { claimKey } from './idempotency.store.ts'

const keptFor = 24 * 3_600_000
export const keysExpiredBefore = (now: Date): Date => new Date(now.getTime() - keptFor)

/** The request without what may differ between two tries of the same one. */
const fingerprint = (call: Call, { lng: _, ...input }: { lng?: unknown }) =>
  createHash('sha256').update(call.path).update(JSON.stringify(input)).digest()

/**
 * The account that an earlier try under the same key has bought, or null: then the key is ours. It is written in the
 * transaction of its effect, so a second try waits for the first to end, and a refused one leaves no key behind.
 */
export async function earlierPurchase(
  ctx: Context,
  tx: Db,
  userId: number,
  request: { key: string | null; call: Call; input: object; accountUUID: string },
): Promise<AccountRecord | null> {
  const { key, call, input, accountUUID } = request
  if (key === null) return null
  const now = ctx.clock.now()
  const request_hash = fingerprint(call, input)
  const earlier = await claimKey(
    tx,
    { user_id: userId, key, request_hash, account_uuid: accountUUID, created_at: now },
    keysExpiredBefore(now),
  )
  if (!earlier) return null
  if (!earlier.request_hash.equals(request_hash)) throw new Refusal('KEY_REUSED')
  const account = earlier.account_uuid && (await findOwnAccount(tx, userId, earlier.account_uuid))
  if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
  return account
}
