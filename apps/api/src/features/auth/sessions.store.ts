import { type Selectable, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../db/database.ts'
import type { SessionRow } from '../../db/schema.ts'

export interface SessionOfUser {
  id: string
  created_at: Date
  last_seen_at: Date
  user_id: number
  email: string
  phone: string | null
  level: number
  contact: string
}

const sessionByToken = {
  name: 'session by token',
  text: `SELECT s.id, s.created_at, s.last_seen_at, s.user_id, u.email, u.phone, u.level, u.contact
    FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = $1`,
}

/**
 * Reads the level on every request, never from the token. Every request waits for it, so it uses the driver alone: the
 * query builder would compose it anew each time.
 */
export async function findSession(pool: pg.Pool, tokenHash: Buffer): Promise<SessionOfUser | undefined> {
  const { rows } = await pool.query<SessionOfUser>({ ...sessionByToken, values: [tokenHash] })
  return rows[0]
}

export const isOpen = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export async function touchSession(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', id).execute()
}

/** Keeps the newest other sessions, and always this one, even if a clock change makes it the oldest. */
export async function insertSession(db: Db, session: Selectable<SessionRow>, keep: number): Promise<void> {
  const others = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', session.user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(keep - 1)
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', session.user_id)
    .where('id', 'not in', others)
    .execute()
  await db.insertInto('sessions').values(session).execute()
}

export const listSessions = (db: Db, userId: number): Promise<Selectable<SessionRow>[]> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .execute()

export async function lastSeenOf(db: Db, userId: number): Promise<Date | null> {
  const { rows } = await sql<{ seen: Date | null }>`
    SELECT greatest((SELECT max(last_seen_at) FROM sessions WHERE user_id = ${userId}),
                    (SELECT max(last_seen_at) FROM known_addresses WHERE user_id = ${userId})) AS seen`.execute(
    db,
  )
  return rows[0]?.seen ?? null
}

export async function deleteSession(db: Db, userId: number, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function deleteSessionsOf(db: Db, userId: number, except?: string): Promise<void> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId)
  if (except) query = query.where('id', '<>', except)
  await query.execute()
}

export async function deleteOldSessions(db: Db, createdBefore: Date, seenBefore: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((or) => or.or([or('created_at', '<', createdBefore), or('last_seen_at', '<', seenBefore)]))
    .execute()
}
