import { type Call, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { hashOf } from '../../lib/tokens.ts'
import { type AccountRecord, findOwnAccount } from './accounts.store.ts'
import * as store from './idempotency.store.ts'

const keptFor = 24 * 3_600_000
const expiredBefore = (now: Date): Date => new Date(now.getTime() - keptFor)

/** The request without what may differ between two tries of the same one. */
const fingerprint = (call: Call, { lng: _, ...input }: { lng?: unknown }) =>
  hashOf(call.path + JSON.stringify(input))

export interface Request {
  userId: number
  /** null when the request came without one. */
  key: string | null
  call: Call
  input: object
  accountUUID: string
}

/**
 * Claims the key for this request, or gives the account that an earlier try under the same key has bought. The key is
 * written in the transaction of its effect, so a refused try leaves none behind.
 */
export async function claimKey(
  tx: Db,
  { userId, key, call, input, accountUUID }: Request,
  now: Date,
): Promise<AccountRecord | null> {
  if (key === null) return null
  const request_hash = fingerprint(call, input)
  const row = { user_id: userId, key, request_hash, account_uuid: accountUUID, created_at: now }
  const isClaimed = await store.claim(tx, row, expiredBefore(now))
  if (isClaimed) return null
  const earlier = await store.holderOf(tx, userId, key)
  if (!earlier.request_hash.equals(request_hash)) throw new Refusal('KEY_REUSED')
  const account = earlier.account_uuid && (await findOwnAccount(tx, userId, earlier.account_uuid))
  if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
  return account
}

export const purgeKeys = (ctx: Context): Promise<void> =>
  store.purgeKeys(ctx.db, expiredBefore(ctx.clock.now()))
