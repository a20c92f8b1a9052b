import type { LiveEvent } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Events in the order of (xid, id); an id alone would not do, as transactions commit out of order. */
export interface Position {
  xid: bigint
  id: number
}

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
  await tx
    .insertInto('events')
    .values(events.map((event) => ({ at: now, user_id: userId, payload: JSON.stringify(event) })))
    .execute()
}

interface Row {
  xid: string
  id: number
  user_id: number | null
  payload: LiveEvent
}
const batch = 1_000

/** What has been committed after a position, up to the oldest transaction that is still open. */
export async function eventsAfter(db: Db, after: Position): Promise<StoredEvent[]> {
  const { rows } = await sql<Row>`
    SELECT xid::text, id, user_id, payload FROM events
    WHERE (xid, id) > (${String(after.xid)}::xid8, ${after.id}::bigint)
      AND xid < pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY events.xid, id LIMIT ${batch}`.execute(db)
  return rows.map((row) => ({ xid: BigInt(row.xid), id: row.id, userId: row.user_id, event: row.payload }))
}

/** Whether rows wait behind a transaction that is still open. */
export async function hasEventsAfter(db: Db, after: Position): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM events WHERE (xid, id) > (${String(after.xid)}::xid8, ${after.id}::bigint) LIMIT 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Everything before this position is visible to every reader that starts now. */
export async function currentPosition(db: Db): Promise<Position> {
  const { rows } = await sql<{
    xid: string
  }>`SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid`.execute(db)
  return { xid: BigInt(rows[0]?.xid ?? 0) - 1n, id: Number.MAX_SAFE_INTEGER }
}

const purgeMark = 'events-purged'

/** Forgets old events and remembers up to where, so that a reader who comes back later is told. */
export async function purgeEvents(tx: Db, before: Date, now: Date): Promise<void> {
  const { rows } = await sql<{ xid: string | null }>`
    WITH gone AS (DELETE FROM events WHERE at < ${before} RETURNING xid)
    SELECT max(xid::text::numeric)::text AS xid FROM gone`.execute(tx)
  const xid = rows[0]?.xid
  if (!xid) return
  const row = { succeeded_at: now, outcome: JSON.stringify({ xid }) }
  await tx
    .insertInto('job_marks')
    .values({ name: purgeMark, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}

export async function purgedUpTo(db: Db): Promise<bigint> {
  const row = await db
    .selectFrom('job_marks')
    .select('outcome')
    .where('name', '=', purgeMark)
    .executeTakeFirst()
  return BigInt((row?.outcome as { xid?: string } | undefined)?.xid ?? 0)
}
