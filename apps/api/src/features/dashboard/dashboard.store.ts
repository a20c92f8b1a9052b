import type { AccountState } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

interface Totals {
  users: number
  administrators: number
  points: number
  tunnel_credit: number
  debt_cents: number
  since: Date
}

export async function readTotals(db: Db, adminAbove: number): Promise<Totals> {
  const { rows } = await sql<Totals>`
    SELECT count(*) AS users, count(*) FILTER (WHERE level > ${adminAbove}) AS administrators,
           coalesce(sum(points), 0) AS points, coalesce(sum(tunnel_credit), 0) AS tunnel_credit,
           coalesce(sum(debt_cents), 0) AS debt_cents, min(created_at) AS since FROM users`.execute(db)
  return rows[0] as Totals
}

export async function countAccounts(db: Db, now: Date): Promise<Partial<Record<AccountState, number>>> {
  const { rows } = await sql<{ state: AccountState; total: number }>`
    SELECT CASE WHEN abused THEN 'abused' WHEN NOT enabled THEN 'disabled'
                WHEN expires_at <= ${now} THEN 'expired'
                WHEN exhausted THEN 'limited' ELSE 'active' END AS state, count(*) AS total
    FROM accounts GROUP BY 1`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.state, row.total]))
}
