import { type Call, quotedRenewal, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { hashOf } from '../../lib/tokens.ts'
import { type AccountRecord, findOwnAccount } from './accounts.store.ts'
import * as store from './idempotency.store.ts'

const keptFor = 24 * 3_600_000
const expiredBefore = (now: Date): Date => new Date(now.getTime() - keptFor)

/** What may differ between two tries of the same request: the language of the reply, and the price that was shown. */
const notCompared = ['lng', ...Object.keys(quotedRenewal)]

const fingerprint = (call: Call, input: object) =>
  hashOf(call.path + JSON.stringify(input, (name, value) => (notCompared.includes(name) ? undefined : value)))

export interface Request {
  userId: number
  /** null when the request came without one. */
  key: string | null
  call: Call
  input: object
}

/**
 * Claims the key for this request, or gives what an earlier try under the same key has left. The key is written in the
 * transaction of its effect, so a refused try leaves none behind.
 */
async function claim(
  tx: Db,
  { userId, key, call, input }: Request,
  account_uuid: string | null,
  now: Date,
): Promise<Awaited<ReturnType<typeof store.holderOf>> | null> {
  if (key === null) return null
  const request_hash = fingerprint(call, input)
  const row = { user_id: userId, key, request_hash, account_uuid, created_at: now }
  if (await store.claim(tx, row, expiredBefore(now))) return null
  const earlier = await store.holderOf(tx, userId, key)
  if (!earlier.request_hash.equals(request_hash)) throw new Refusal('KEY_REUSED')
  return earlier
}

/** For a purchase: the account that an earlier try has bought, as it is now. */
export async function claimKey(
  tx: Db,
  { accountUUID, ...request }: Request & { accountUUID: string },
  now: Date,
): Promise<AccountRecord | null> {
  const earlier = await claim(tx, request, accountUUID, now)
  if (!earlier) return null
  const account = earlier.account_uuid && (await findOwnAccount(tx, request.userId, earlier.account_uuid))
  if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
  return account
}

/** For what is done to many accounts: the reply that an earlier try was given, word for word. */
export const claimKeyOfMany = async (tx: Db, request: Request, now: Date): Promise<unknown> =>
  (await claim(tx, request, null, now))?.reply ?? null

export const keepReply = async (tx: Db, { userId, key }: Request, reply: object): Promise<void> => {
  if (key !== null) await store.keepReply(tx, userId, key, reply)
}

export const purgeKeys = (ctx: Context): Promise<void> =>
  store.purgeKeys(ctx.db, expiredBefore(ctx.clock.now()))
