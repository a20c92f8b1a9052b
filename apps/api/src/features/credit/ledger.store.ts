import type { Movement } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Actor, LedgerUnit } from '../../db/schema.ts'

export interface Posting {
  at: Date
  movement: Movement
  userId: number
  actor: Actor
  actorEmail: string | null
  reason: string
  accountUUID: string | null
  accountName: string | null
}

/** Of the user's book; the house's side is the same with the sign turned. */
export interface Leg {
  unit: LedgerUnit
  amount: number
}

const balanceColumns = { points: 'points', tunnelCredit: 'tunnel_credit', cents: 'debt_cents' } as const

/**
 * Moves amounts and balances together, in one statement. The user's row must be locked by this transaction already;
 * the balance after each leg is what the update itself returns, so entry and balance cannot disagree.
 */
export async function post(tx: Db, posting: Posting, legs: readonly Leg[]): Promise<void> {
  const moved = legs.filter((leg) => leg.amount !== 0)
  if (moved.length === 0) return
  const sumOf = (unit: LedgerUnit) =>
    moved.reduce((sum, leg) => (leg.unit === unit ? sum + leg.amount : sum), 0)
  const sides = moved.flatMap(({ unit, amount }) => [
    sql`(${posting.userId}::bigint, ${unit}, ${amount}::bigint, ${sql.ref(balanceColumns[unit])})`,
    sql`(null, ${unit}, ${-amount}::bigint, null)`,
  ])
  const { numAffectedRows } = await sql`
    WITH balances AS (
      UPDATE users SET points = points + ${sumOf('points')}, tunnel_credit = tunnel_credit + ${sumOf('tunnelCredit')},
        debt_cents = debt_cents + ${sumOf('cents')}
      WHERE id = ${posting.userId} RETURNING points, tunnel_credit, debt_cents
    ), movement AS (
      INSERT INTO ledger_transactions (at, movement, user_id, actor, actor_email, reason, account_uuid, account_name)
      VALUES (${posting.at}, ${posting.movement}, ${posting.userId}, ${posting.actor}, ${posting.actorEmail},
        ${posting.reason}, ${posting.accountUUID}, ${posting.accountName})
      RETURNING id
    )
    INSERT INTO ledger_entries (transaction_id, user_id, unit, amount, balance)
    SELECT movement.id, side.* FROM movement, balances,
      LATERAL (VALUES ${sql.join(sides)}) AS side (user_id, unit, amount, balance)`.execute(tx)
  if (numAffectedRows !== BigInt(sides.length)) throw new Error(`no user ${posting.userId} to post to`)
}

export interface StatementRow {
  id: number
  at: Date
  movement: Movement
  unit: LedgerUnit
  amount: number
  balance: number
  reason: string
  actor: Actor
  actor_email: string | null
  account_uuid: string | null
  account_name: string | null
  email: string
}

/** Newest first; `userId` undefined is everybody's. */
export async function readStatement(
  db: Db,
  { userId, before, limit }: { userId?: number | undefined; before?: number | undefined; limit: number },
): Promise<StatementRow[]> {
  let query = db
    .selectFrom('ledger_entries as e')
    .innerJoin('ledger_transactions as t', 't.id', 'e.transaction_id')
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .select([
      'e.id',
      't.at',
      't.movement',
      'e.unit',
      'e.amount',
      'e.balance',
      't.reason',
      't.actor',
      't.actor_email',
    ])
    .select(['t.account_uuid', 't.account_name', 'u.email'])
    .orderBy('e.id', 'desc')
    .limit(limit)
  query =
    userId === undefined ? query.where('e.user_id', 'is not', null) : query.where('e.user_id', '=', userId)
  if (before !== undefined) query = query.where('e.id', '<', before)
  return (await query.execute()) as StatementRow[]
}

/** Users whose balances are not the sum of their entries, and units whose two sides do not cancel out. */
export async function findImbalances(db: Db): Promise<string[]> {
  const { rows } = await sql<{ finding: string }>`
    SELECT u.email || ': ' || b.unit || ' is ' || b.balance || ', its entries sum to ' || coalesce(s.total, 0) AS finding
    FROM users u
    CROSS JOIN LATERAL (VALUES ('points', u.points), ('tunnelCredit', u.tunnel_credit), ('cents', u.debt_cents))
      AS b (unit, balance)
    LEFT JOIN (SELECT user_id, unit, sum(amount) AS total FROM ledger_entries WHERE user_id IS NOT NULL
               GROUP BY user_id, unit) s ON s.user_id = u.id AND s.unit = b.unit
    WHERE b.balance <> coalesce(s.total, 0)
    UNION ALL
    SELECT 'transaction ' || transaction_id || ': ' || unit || ' does not cancel out'
    FROM ledger_entries GROUP BY transaction_id, unit HAVING sum(amount) <> 0`.execute(db)
  return rows.map((row) => row.finding)
}
