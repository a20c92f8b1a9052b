import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export interface Backoff {
  /** As many attempts come one after the other; each further one waits, twice as long as the one before. */
  free: number
  firstSeconds: number
  maxSeconds: number
  forgetSeconds: number
}

/**
 * Counts an attempt before it is made, in one statement, so that parallel guesses cannot all pass the check.
 * Returns null when the attempt may go on, else until when this key must wait.
 */
export async function takeAttempt(db: Db, key: string, backoff: Backoff, now: Date): Promise<Date | null> {
  const failures = sql<number>`CASE WHEN attempts.last_at <= ${now}::timestamptz - make_interval(secs => ${backoff.forgetSeconds})
    THEN 1 ELSE attempts.failures + 1 END`
  const wait = sql`make_interval(secs => CASE WHEN ${failures} < ${backoff.free}::int THEN 0
    ELSE least(${backoff.maxSeconds}::float8, ${backoff.firstSeconds} * power(2, least(30, ${failures} - ${backoff.free}::int))) END)`
  const { rows } = await sql<{ blocked_until: Date }>`
    INSERT INTO attempts (key, failures, last_at, blocked_until) VALUES (${key}, 1, ${now}, ${now})
    ON CONFLICT (key) DO UPDATE
      SET failures = ${failures}, last_at = ${now}, blocked_until = ${now}::timestamptz + ${wait}
      WHERE attempts.blocked_until <= ${now}
    RETURNING blocked_until`.execute(db)
  if (rows.length > 0) return null
  const row = await db
    .selectFrom('attempts')
    .select('blocked_until')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.blocked_until ?? now
}

/** The attempt was a good one after all. */
export async function giveBackAttempt(db: Db, key: string, now: Date): Promise<void> {
  await db
    .updateTable('attempts')
    .set((row) => ({ failures: row('failures', '-', 1), blocked_until: now }))
    .where('key', '=', key)
    .execute()
}

export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', key).execute()
}

export const knowsAddress = async (db: Db, email: string, address: string): Promise<boolean> =>
  (await db
    .selectFrom('known_addresses')
    .innerJoin('users', 'users.id', 'known_addresses.user_id')
    .select('users.id')
    .where('users.email', '=', email)
    .where('known_addresses.address', '=', address)
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
