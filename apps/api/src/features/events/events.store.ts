import type { HostKind, LiveEvent } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Events in the order of (xid, id); an id alone would not do, as transactions commit out of order. */
export interface Position {
  xid: bigint
  id: number
}

export const isAfter = (a: Position, b: Position): boolean =>
  a.xid > b.xid || (a.xid === b.xid && a.id > b.id)

export interface StoredEvent extends Position {
  userId: number | null
  event: LiveEvent
}

export async function insertEvents(
  tx: Db,
  userId: number | null,
  events: readonly LiveEvent[],
  now: Date,
): Promise<void> {
  await sql`INSERT INTO events (at, user_id, payload)
    SELECT ${now}::timestamptz, ${userId}::bigint, event
    FROM jsonb_array_elements(${JSON.stringify(events)}::jsonb) AS event`.execute(tx)
}

/** Whose events: those of one user and, for an administrator, those of the hosts. */
export interface Reader {
  readonly userId: number
  readonly isAdmin: boolean
}

/** One to everybody who is signed in: nobody else has a screen open. */
export async function insertEventForAll(tx: Db, event: LiveEvent, now: Date): Promise<void> {
  await sql`INSERT INTO events (at, user_id, payload)
    SELECT DISTINCT ${now}::timestamptz, user_id, ${JSON.stringify(event)}::jsonb FROM sessions`.execute(tx)
}

/** One of each account that has a place on the host, to its owner. */
export async function insertEventsOfHost(tx: Db, kind: HostKind, uuid: string, now: Date): Promise<void> {
  await sql`INSERT INTO events (at, user_id, payload)
    SELECT ${now}::timestamptz, user_id, jsonb_build_object('type', 'account', 'accountUUID', uuid)
    FROM accounts WHERE ${sql.ref(`${kind}_uuid`)} = ${uuid}::uuid`.execute(tx)
}

/** One of each, to its owner, in one statement: a host that is set up anew reports a thousand at once. */
export async function insertEventsOfAccounts(tx: Db, uuids: readonly string[], now: Date): Promise<void> {
  await sql`INSERT INTO events (at, user_id, payload)
    SELECT ${now}::timestamptz, user_id, jsonb_build_object('type', 'account', 'accountUUID', uuid)
    FROM accounts WHERE uuid = ANY (${[...uuids]}::uuid[])`.execute(tx)
}

interface Row {
  xid: string
  id: number
  user_id: number | null
  payload: LiveEvent
  is_settled: boolean
}
/** Even of the longest lines so many fit into what a stream may have waiting. */
const batch = 200
/** Whoever has missed more reads everything again, which costs both sides less. */
export const mostMissed = 1_000

export interface Batch {
  events: StoredEvent[]
  /** There was no room for more. */
  isFull: boolean
  /** Others wait behind a transaction that is still open. */
  hasUnsettled: boolean
}

const behind = ({ xid, id }: Position) => sql`(xid, id) > (${String(xid)}::xid8, ${id}::bigint)`

/** Each half by an index of its own: what others were told in the meantime is not even looked at. */
const ofReader = ({ userId, isAdmin }: Reader, after: Position, limit: number) => sql`
  (SELECT xid, id, user_id, payload FROM events
   WHERE user_id = ${userId} AND ${behind(after)} ORDER BY xid, id LIMIT ${limit})
  UNION ALL
  (SELECT xid, id, user_id, payload FROM events
   WHERE ${isAdmin} AND user_id IS NULL AND ${behind(after)} ORDER BY xid, id LIMIT ${limit})`

/** What has been committed after a position, up to the oldest transaction that is still open; for all, or one reader. */
export async function eventsAfter(db: Db, after: Position, reader?: Reader): Promise<Batch> {
  const source = reader
    ? sql`(${ofReader(reader, after, batch)}) AS events`
    : sql`events WHERE ${behind(after)}`
  const { rows } = await sql<Row>`
    SELECT xid::text, id, user_id, payload, xid < pg_snapshot_xmin(pg_current_snapshot()) AS is_settled
    FROM ${source} ORDER BY events.xid, id LIMIT ${batch}`.execute(db)
  const settled = rows.filter((row) => row.is_settled)
  return {
    events: settled.map((row) => ({
      xid: BigInt(row.xid),
      id: row.id,
      userId: row.user_id,
      event: row.payload,
    })),
    isFull: settled.length === batch,
    hasUnsettled: settled.length < rows.length,
  }
}

export async function hasMissedTooMuch(db: Db, after: Position, reader: Reader): Promise<boolean> {
  const { rows } = await sql<{ missed: number }>`
    SELECT count(*) AS missed FROM (${ofReader(reader, after, mostMissed + 1)}) AS missed`.execute(db)
  return (rows[0]?.missed ?? 0) > mostMissed
}

const beginning: Position = { xid: 0n, id: 0 }

/**
 * The newest event that every reader has seen or could have seen by now. Always that of a real event: a number taken
 * from the counter of transactions could be given out a second time after a crash, and hide what comes with it.
 */
export async function currentPosition(db: Db): Promise<Position> {
  const { rows } = await sql<{ xid: string; id: number }>`
    SELECT xid::text, id FROM events WHERE xid < pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY events.xid DESC, id DESC LIMIT 1`.execute(db)
  return later(toPosition(rows[0]), await purgedUpTo(db))
}

const purgeMark = 'events-purged'

/** Forgets old events and remembers up to where, so that a reader who comes back later is told. */
export async function purgeEvents(tx: Db, before: Date, now: Date): Promise<void> {
  const { rows } = await sql<{ xid: string; id: number }>`
    WITH gone AS (DELETE FROM events WHERE at < ${before} RETURNING xid, id)
    SELECT xid::text, id FROM gone ORDER BY gone.xid DESC, id DESC LIMIT 1`.execute(tx)
  if (rows.length === 0) return
  const { xid, id } = later(toPosition(rows[0]), await purgedUpTo(tx))
  const row = { succeeded_at: now, outcome: JSON.stringify({ xid: String(xid), id }) }
  await tx
    .insertInto('job_marks')
    .values({ name: purgeMark, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}

export async function purgedUpTo(db: Db): Promise<Position> {
  const row = await db
    .selectFrom('job_marks')
    .select('outcome')
    .where('name', '=', purgeMark)
    .executeTakeFirst()
  return toPosition(row?.outcome as { xid: string; id: number } | undefined)
}

const toPosition = (row: { xid: string; id: number } | undefined): Position =>
  row ? { xid: BigInt(row.xid), id: row.id } : beginning

const later = (a: Position, b: Position): Position => (isAfter(a, b) ? a : b)
