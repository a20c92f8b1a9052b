import { type AccountState, type DebtAge, day } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

interface Totals {
  users: number
  administrators: number
  points: number
  tunnel_credit: number
  debt_cents: number
  /** Since there is anybody at all. */
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
                WHEN expires_at <= ${now} THEN 'expired' ELSE 'active' END AS state, count(*) AS total
    FROM accounts GROUP BY 1`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.state, row.total]))
}

/** A debt is as old as the entry that made it from nothing. */
export async function debtByAge(
  db: Db,
  now: Date,
): Promise<{ age: DebtAge; users: number; cents: number }[]> {
  const ago = (days: number) => new Date(now.getTime() - days * day)
  const { rows } = await sql<{ age: DebtAge; users: number; cents: number }>`
    SELECT CASE WHEN began.at > ${ago(7)} THEN 'week' WHEN began.at > ${ago(30)} THEN 'month'
                WHEN began.at > ${ago(90)} THEN 'quarter' ELSE 'older' END AS age,
           count(*) AS users, sum(u.debt_cents) AS cents
    FROM users u
    CROSS JOIN LATERAL (
      SELECT t.at FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
      WHERE e.user_id = u.id AND e.unit = 'cents' AND e.balance = e.amount ORDER BY e.id DESC LIMIT 1) began
    WHERE u.debt_cents > 0 GROUP BY 1`.execute(db)
  return rows
}
