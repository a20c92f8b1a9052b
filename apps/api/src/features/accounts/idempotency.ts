import { type Call, Refusal } from '@kelid/contract'
import type { Db } from '../../context.ts'
import { hashOf } from '../../lib/tokens.ts'
import { type AccountRecord, findOwnAccount } from './accounts.store.ts'
import { holderOf, type Key } from './idempotency.store.ts'

const keptFor = 24 * 3_600_000
export const keysExpiredBefore = (now: Date): Date => new Date(now.getTime() - keptFor)

/** The request without what may differ between two tries of the same one. */
const fingerprint = (call: Call, { lng: _, ...input }: { lng?: unknown }) =>
  hashOf(call.path + JSON.stringify(input))

export interface Request {
  key: string | null
  call: Call
  input: object
  accountUUID: string
}

export const keyOf = (userId: number, { key, call, input, accountUUID }: Request, now: Date): Key => ({
  userId,
  key,
  requestHash: fingerprint(call, input),
  accountUUID,
  at: now,
  expiredBefore: keysExpiredBefore(now),
})

/**
 * The account that an earlier try under the same key has bought. The key is written in the transaction of its effect, so
 * a second try waits for the first to end, and a refused one leaves no key behind.
 */
export async function earlierPurchase(
  tx: Db,
  userId: number,
  key: string,
  requestHash: Buffer,
): Promise<AccountRecord> {
  const earlier = await holderOf(tx, userId, key)
  if (!earlier.request_hash.equals(requestHash)) throw new Refusal('KEY_REUSED')
  const account = earlier.account_uuid && (await findOwnAccount(tx, userId, earlier.account_uuid))
  if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
  return account
}
