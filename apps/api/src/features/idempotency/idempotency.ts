import { type Call, limits, quotedPlan, quotedRenewal, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { hashOf } from '../../lib/tokens.ts'
import * as store from './idempotency.store.ts'

const keptFor = 24 * 3_600_000
const expiredBefore = (now: Date): Date => new Date(now.getTime() - keptFor)

/** Retries may differ in these fields: the language, and the quoted price or number. */
const notCompared = ['lng', ...Object.keys({ ...quotedRenewal, ...quotedPlan }), 'accounts', 'basedOn']

const fingerprint = (call: Call, input: object) =>
  hashOf(call.path + JSON.stringify(input, (name, value) => (notCompared.includes(name) ? undefined : value)))

export interface Request {
  userId: number
  key: string | null
  call: Call
  input: object
}

export const requestOf = (
  call: Call,
  { caller, idempotencyKey }: { caller: { userId: number }; idempotencyKey: string | null },
  input: object,
): Request => ({ userId: caller.userId, key: idempotencyKey, call, input })

/** The key is written in the transaction of its effect, so a refused attempt leaves none. */
export async function claim(
  tx: Db,
  { userId, key, call, input }: Request,
  account_uuid: string | null,
  now: Date,
): Promise<store.StoredRequest | null> {
  if (key === null) return null
  const request_hash = fingerprint(call, input)
  const row = { user_id: userId, key, request_hash, account_uuid, created_at: now }
  const earlier = await claimRow(tx, row, now)
  if (earlier && !earlier.request_hash.equals(request_hash)) throw new Refusal('KEY_REUSED')
  return earlier
}

async function claimRow(
  tx: Db,
  row: Parameters<typeof store.claim>[1],
  now: Date,
): Promise<store.StoredRequest | null> {
  if (await store.claim(tx, row, expiredBefore(now))) return null
  const earlier = await store.holderOf(tx, row.user_id, row.key, expiredBefore(now))
  if (!earlier) throw new Refusal('TOO_MANY_KEYS', { keys: limits.keysPerUser })
  return earlier
}

/** A result without an effect: its key is not kept, because repeating the request is harmless. */
export class Unchanged<Reply> {
  readonly reply: Reply

  constructor(reply: Reply) {
    this.reply = reply
  }
}

/** Stores the reply in the transaction of the work. A retry under the same key gets the same reply. */
export async function answerOnce<Reply extends object>(
  tx: Db,
  request: Request,
  now: Date,
  work: () => Promise<Reply | Unchanged<Reply>>,
): Promise<Reply> {
  const earlier = await claim(tx, request, null, now)
  if (earlier?.reply) return earlier.reply as Reply
  const result = await work()
  const isUnchanged = result instanceof Unchanged
  const reply = isUnchanged ? result.reply : result
  if (request.key === null) return reply
  if (isUnchanged) await store.release(tx, request.userId, request.key)
  else await store.keepReply(tx, request.userId, request.key, reply)
  return reply
}

const settledHash = hashOf('settled')

/**
 * Tells whether the request under a key was executed, and waits for a running one. The key of a missing request is
 * claimed, so that the request is refused if it arrives later.
 */
export const settle = (ctx: Context, userId: number, key: string): Promise<{ isDone: boolean }> =>
  ctx.atomically(async (tx) => {
    const now = ctx.clock.now()
    const row = { user_id: userId, key, request_hash: settledHash, account_uuid: null, created_at: now }
    const earlier = await claimRow(tx, row, now)
    return { isDone: earlier !== null && !earlier.request_hash.equals(settledHash) }
  })

export const purgeKeys = (ctx: Context): Promise<void> =>
  store.purgeKeys(ctx.db, expiredBefore(ctx.clock.now()))
