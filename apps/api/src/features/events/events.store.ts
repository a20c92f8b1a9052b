import type { DataShare, HostKind, LiveEvent } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Events are ordered by (xid, id), because transactions commit out of order. */
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

export interface Reader {
  readonly userId: number
  readonly isAdmin: boolean
}

/** Only users with a session can have a screen open. */
export async function insertEventForAll(tx: Db, event: LiveEvent, now: Date): Promise<void> {
  await sql`INSERT INTO events (at, user_id, payload)
    SELECT DISTINCT ${now}::timestamptz, user_id, ${JSON.stringify(event)}::jsonb FROM sessions`.execute(tx)
}

export async function insertEventsOfHost(tx: Db, kind: HostKind, uuid: string, now: Date): Promise<void> {
  await sql`INSERT INTO events (at, user_id, payload)
    SELECT ${now}::timestamptz, user_id, jsonb_build_object('type', 'account', 'accountUUID', uuid)
    FROM accounts WHERE uuid IN (SELECT account_uuid FROM placements WHERE ${sql.ref(`${kind}_uuid`)} = ${uuid}::uuid)`.execute(
    tx,
  )
}

/** One statement, because a newly provisioned host reports a thousand accounts at once. */
export async function insertEventsOfAccounts(tx: Db, uuids: readonly string[], now: Date): Promise<void> {
  await sql`INSERT INTO events (at, user_id, payload)
    SELECT ${now}::timestamptz, user_id, jsonb_build_object('type', 'account', 'accountUUID', uuid)
    FROM accounts WHERE uuid = ANY (${[...uuids]}::uuid[])`.execute(tx)
}

/** To the owners of accounts that have used so much of their data. */
export async function insertReminders(
  tx: Db,
  reminders: readonly { uuid: string; share: DataShare }[],
  now: Date,
): Promise<void> {
  await sql`INSERT INTO events (at, user_id, payload)
    SELECT ${now}::timestamptz, user_id, jsonb_build_object('type', 'account', 'accountUUID', uuid, 'dataShare', share)
    FROM accounts JOIN unnest(${reminders.map(({ uuid }) => uuid)}::uuid[],
      ${reminders.map(({ share }) => share)}::int[]) AS reminder (id, share) ON uuid = id`.execute(tx)
}

interface Row {
  xid: string
  id: number
  user_id: number | null
  payload: LiveEvent
  is_settled: boolean
}
/** Fits into a stream's buffer even with the longest lines. */
const batch = 200
/** A reader who missed more reloads everything, which is cheaper for both sides. */
export const maxMissed = 1_000

export interface Batch {
  events: StoredEvent[]
  isFull: boolean
  hasUnsettled: boolean
}

const behind = ({ xid, id }: Position) => sql`(xid, id) > (${String(xid)}::xid8, ${id}::bigint)`

/** Each half uses its own index, so other users' events are not read. */
const ofReader = ({ userId, isAdmin }: Reader, after: Position, limit: number) => sql`
  (SELECT xid, id, user_id, payload FROM events
   WHERE user_id = ${userId} AND ${behind(after)} ORDER BY xid, id LIMIT ${limit})
  UNION ALL
  (SELECT xid, id, user_id, payload FROM events
   WHERE ${isAdmin} AND user_id IS NULL AND ${behind(after)} ORDER BY xid, id LIMIT ${limit})`

export async function eventsAfter(db: Db, after: Position, reader?: Reader): Promise<Batch> {
  const source = reader
    ? sql`(${ofReader(reader, after, batch)}) AS events`
    : sql`events WHERE ${behind(after)}`
  const { rows } = await sql<Row>`
    SELECT xid::text, id, user_id, payload, xid < pg_snapshot_xmin(pg_current_snapshot()) AS is_settled
    FROM ${source} ORDER BY events.xid, id LIMIT ${batch}`.execute(db)
  const settledRows = rows.filter((row) => row.is_settled)
  return {
    events: settledRows.map((row) => ({
      xid: BigInt(row.xid),
      id: row.id,
      userId: row.user_id,
      event: row.payload,
    })),
    isFull: settledRows.length === batch,
    hasUnsettled: settledRows.length < rows.length,
  }
}

export async function hasMissedTooMuch(db: Db, after: Position, reader: Reader): Promise<boolean> {
  const { rows } = await sql<{ missed: number }>`
    SELECT count(*) AS missed FROM (${ofReader(reader, after, maxMissed + 1)}) AS missed`.execute(db)
  return (rows[0]?.missed ?? 0) > maxMissed
}

const beginning: Position = { xid: 0n, id: 0 }

/**
 * The newest event that every reader can see. It is always a real event's position: a value of the transaction
 * counter could be reused after a crash and hide events.
 */
export async function currentPosition(db: Db): Promise<Position> {
  const { rows } = await sql<{ xid: string; id: number }>`
    SELECT xid::text, id FROM events WHERE xid < pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY events.xid DESC, id DESC LIMIT 1`.execute(db)
  return later(toPosition(rows[0]), await purgedUpTo(db))
}

const purgeMark = 'events-purged'

/** Remembers the position up to which events were deleted, so that a late reader gets `reset`. */
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
