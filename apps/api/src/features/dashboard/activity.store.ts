import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

interface SalesOfDay {
  day: Date
  created: number
  renewed: number
  points: number
}

/** By UTC day; days without a purchase have no row. A purchase's price includes lent points. */
export async function soldByDay(db: Db, from: Date): Promise<SalesOfDay[]> {
  const { rows } = await sql<SalesOfDay>`
    WITH sold AS MATERIALIZED (
      SELECT id, at, movement FROM ledger_transactions WHERE movement IN ('create', 'renew', 'data') AND at >= ${from})
    SELECT date_trunc('day', s.at, 'UTC') AS day, count(*) FILTER (WHERE s.movement = 'create') AS created,
           count(*) FILTER (WHERE s.movement = 'renew') AS renewed, coalesce(-sum(e.amount), 0) AS points
    FROM sold s
    LEFT JOIN ledger_entries e ON e.transaction_id = s.id AND e.user_id IS NOT NULL AND e.unit = 'points'
      AND e.transaction_id >= (SELECT min(id) FROM sold)
    GROUP BY 1`.execute(db)
  return rows
}

export async function expiringByDay(db: Db, now: Date, until: Date) {
  const { rows } = await sql<{ day: Date; accounts: number }>`
    SELECT date_trunc('day', expires_at, 'UTC') AS day, count(*) AS accounts FROM accounts
    WHERE expiry_noted_at IS NULL AND expires_at > ${now} AND expires_at < ${until} AND enabled GROUP BY 1`.execute(
    db,
  )
  return rows
}
