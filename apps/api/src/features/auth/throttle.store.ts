import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export interface Backoff {
  /** Number of attempts without a wait; each further one doubles the wait. */
  free: number
  firstSeconds: number
  maxSeconds: number
  forgetSeconds: number
}

/** Far in the past: a concurrent request may have read the clock a millisecond earlier and must not wait. */
const nobodyWaits = sql<Date>`to_timestamp(0)`

/** Counts before the attempt, so that parallel guesses cannot all pass. Returns until when this key must wait. */
export async function takeAttempt(db: Db, key: string, backoff: Backoff, now: Date): Promise<Date | null> {
  const failures = sql<number>`CASE WHEN attempts.last_at <= ${now}::timestamptz - make_interval(secs => ${backoff.forgetSeconds})
    THEN 1 ELSE attempts.failures + 1 END`
  const seconds = sql`least(${backoff.maxSeconds}::float8,
    ${backoff.firstSeconds} * power(2, least(30, ${failures} - ${backoff.free}::int)))`
  const { rows } = await sql<{ blocked_until: Date }>`
    INSERT INTO attempts (key, failures, last_at, blocked_until) VALUES (${key}, 1, ${now}, ${nobodyWaits})
    ON CONFLICT (key) DO UPDATE
      SET failures = ${failures}, last_at = ${now}, blocked_until = CASE WHEN ${failures} < ${backoff.free}::int
        THEN ${nobodyWaits} ELSE ${now}::timestamptz + make_interval(secs => ${seconds}) END
      WHERE attempts.blocked_until <= ${now}
    RETURNING blocked_until`.execute(db)
  return rows.length > 0 ? null : ((await blockedUntil(db, key)) ?? now)
}

export const blockedUntil = async (db: Db, key: string): Promise<Date | undefined> =>
  (await db.selectFrom('attempts').select('blocked_until').where('key', '=', key).executeTakeFirst())
    ?.blocked_until

export async function giveBackAttempt(db: Db, key: string): Promise<void> {
  await db
    .updateTable('attempts')
    .set((row) => ({ failures: row('failures', '-', 1), blocked_until: nobodyWaits }))
    .where('key', '=', key)
    .execute()
}

export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', key).execute()
}

export async function forgetAttemptsBelow(db: Db, prefix: string): Promise<void> {
  await db.deleteFrom('attempts').where(sql<boolean>`starts_with(key, ${prefix})`).execute()
}

export const knowsAddress = async (db: Db, userId: number, address: string): Promise<boolean> =>
  (await db
    .selectFrom('known_addresses')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('address', '=', address)
    .executeTakeFirst()) !== undefined

export async function rememberAddress(db: Db, userId: number, address: string, now: Date): Promise<void> {
  await db
    .insertInto('known_addresses')
    .values({ user_id: userId, address, last_seen_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'address']).doUpdateSet({ last_seen_at: now }))
    .execute()
}

export async function forgetOld(db: Db, attemptsBefore: Date, addressesBefore: Date): Promise<void> {
  await db.deleteFrom('attempts').where('last_at', '<', attemptsBefore).execute()
  await db.deleteFrom('known_addresses').where('last_seen_at', '<', addressesBefore).execute()
}
