import type { Movement } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { Actor, LedgerUnit } from '../../db/schema.ts'

/** Of the user's book; the house's side is the same with the sign turned. */
interface Amounts {
  points: number
  tunnelCredit: number
  cents: number
}

export interface Posting extends Amounts {
  at: Date
  movement: Movement
  userId: number
  actor: Actor
  actorEmail: string | null
  reason: string
  accountUUID: string | null
  accountName: string | null
}

const balanceColumns = { points: 'points', tunnelCredit: 'tunnel_credit', cents: 'debt_cents' } as const

/** Both sides of each leg: the user's, with the balance that the update has just returned, and the house's. */
const sidesOf = (unit: LedgerUnit, userId: number, amount: number) => sql`
  (${userId}::bigint, ${sql.lit(unit)}, ${amount}::bigint, ${sql.ref(balanceColumns[unit])}),
  (NULL, ${sql.lit(unit)}, -${amount}::bigint, NULL)`

/**
 * The parts of a statement that moves amounts and balances together. The user's row must be locked by this transaction
 * already; the balance after each leg is what the update itself returns, so entry and balance cannot disagree.
 */
export const posting = (to: Posting) => sql`
  balances AS (
    UPDATE users SET points = points + ${to.points}, tunnel_credit = tunnel_credit + ${to.tunnelCredit},
      debt_cents = debt_cents + ${to.cents}
    WHERE id = ${to.userId} RETURNING points, tunnel_credit, debt_cents
  ), movement AS (
    INSERT INTO ledger_transactions (at, movement, user_id, actor, actor_email, reason, account_uuid, account_name)
    SELECT ${to.at}, ${to.movement}, ${to.userId}, ${to.actor}, ${to.actorEmail}, ${to.reason}, ${to.accountUUID},
      ${to.accountName}
    WHERE (${to.points}::bigint, ${to.tunnelCredit}::bigint, ${to.cents}::bigint) <> (0, 0, 0)
    RETURNING id
  ), entries AS (
    INSERT INTO ledger_entries (transaction_id, user_id, unit, amount, balance)
    SELECT movement.id, side.* FROM movement, balances,
      LATERAL (VALUES ${sidesOf('points', to.userId, to.points)}, ${sidesOf('tunnelCredit', to.userId, to.tunnelCredit)},
        ${sidesOf('cents', to.userId, to.cents)}) AS side (user_id, unit, amount, balance)
    WHERE side.amount <> 0
    RETURNING id
  )`

/** To be asked of the statement that has these parts. */
export const entriesWritten = sql<number>`(SELECT count(*) FROM entries)`

export function checkPosted(
  { userId, points, tunnelCredit, cents }: Posting,
  entries: number | undefined,
): void {
  const legs = [points, tunnelCredit, cents].filter((amount) => amount !== 0).length
  if (entries !== 2 * legs) throw new Error(`there is no user ${userId} to post to`)
}

const write = prepared(
  (_, to: Posting) => sql<{ entries: number }>`WITH ${posting(to)} SELECT ${entriesWritten} AS entries`,
)

export async function post(tx: Db, to: Posting): Promise<void> {
  const { rows } = await write(tx, to)
  checkPosted(to, rows[0]?.entries)
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
