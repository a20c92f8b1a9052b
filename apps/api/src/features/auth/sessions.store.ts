import DataLoader from 'dataloader'
import type { Selectable } from 'kysely'
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
}

/** Runs on every request, so it is a prepared statement; the level is read here each time, never from the token. */
const lookUp = {
  name: 'sessions-of-tokens',
  text: `SELECT asked.place, s.id, s.created_at, s.last_seen_at, s.user_id, u.email, u.phone, u.level
         FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (token_hash, place)
         JOIN sessions s ON s.token_hash = asked.token_hash JOIN users u ON u.id = s.user_id`,
}

async function readSessions(pool: pg.Pool, tokenHashes: readonly Buffer[]) {
  const { rows } = await pool.query<SessionOfUser & { place: number }>({ ...lookUp, values: [tokenHashes] })
  const found: (SessionOfUser | undefined)[] = tokenHashes.map(() => undefined)
  for (const { place, ...session } of rows) found[place - 1] = session
  return found
}

const finders = new WeakMap<pg.Pool, DataLoader<Buffer, SessionOfUser | undefined>>()

/** Requests that arrive in the same turn of the event loop are looked up together. Nothing is kept from one to the next. */
const finderOf = (pool: pg.Pool) =>
  new DataLoader((hashes: readonly Buffer[]) => readSessions(pool, hashes), {
    cache: false,
    batchScheduleFn: setImmediate,
  })

export function findSession(pool: pg.Pool, tokenHash: Buffer): Promise<SessionOfUser | undefined> {
  const finder = finders.get(pool) ?? finderOf(pool)
  finders.set(pool, finder)
  return finder.load(tokenHash)
}

export async function touchSession(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', id).execute()
}

export async function insertSession(db: Db, session: Selectable<SessionRow>, keep: number): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
  const kept = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', session.user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(keep)
  await db.deleteFrom('sessions').where('user_id', '=', session.user_id).where('id', 'not in', kept).execute()
}

export const listSessions = (db: Db, userId: number): Promise<Selectable<SessionRow>[]> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .execute()

export async function deleteSession(db: Db, userId: number, id: string): Promise<boolean> {
  const done = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return done.numDeletedRows > 0n
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
