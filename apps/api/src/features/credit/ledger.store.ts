import type { Movement } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ActorKind, LedgerUnit, PlanNames } from '../../db/schema.ts'

/** The plan of a purchase, as it was when it was sold. */
export interface SoldPlan {
  readonly uuid: string
  readonly names: PlanNames
}

/** Amounts are from the user's side; the counter entry has the opposite sign. */
export interface Posting {
  at: Date
  movement: Movement
  userId: number
  actor: ActorKind
  actorEmail: string | null
  reason: string
  accountUUID: string | null
  accountName: string | null
  plan?: SoldPlan | null
  points: number
  tunnelCredit: number
  cents: number
}

/** Each entry's balance is the one that the update returns, so entries and balances always agree. */
export async function post(tx: Db, to: Posting): Promise<void> {
  const { points, tunnelCredit, cents } = to
  if (points === 0 && tunnelCredit === 0 && cents === 0) return
  const { numAffectedRows } = await sql`
    WITH after AS (
      UPDATE users SET points = points + ${points}, tunnel_credit = tunnel_credit + ${tunnelCredit},
        debt_cents = debt_cents + ${cents}, debt_since = ${sinceWhen(cents, to.at)}
      WHERE id = ${to.userId} RETURNING id, points, tunnel_credit, debt_cents
    ), posted AS (
      INSERT INTO ledger_transactions
        (at, movement, user_id, actor, actor_email, reason, account_uuid, account_name, plan_uuid, plan_names)
      VALUES (${to.at}, ${to.movement}, ${to.userId}, ${to.actor}, ${to.actorEmail}, ${to.reason},
        ${to.accountUUID}, ${to.accountName}, ${to.plan?.uuid ?? null}, ${to.plan?.names ?? null})
      RETURNING id
    )
    INSERT INTO ledger_entries (transaction_id, user_id, unit, amount, balance)
    SELECT posted.id, entry.user_id, unit, amount, balance
    FROM posted, after, LATERAL (VALUES
      (after.id, 'points', ${points}::bigint, after.points), (NULL, 'points', ${-points}, NULL),
      (after.id, 'tunnelCredit', ${tunnelCredit}, tunnel_credit), (NULL, 'tunnelCredit', ${-tunnelCredit}, NULL),
      (after.id, 'cents', ${cents}, debt_cents), (NULL, 'cents', ${-cents}, NULL)
    ) AS entry (user_id, unit, amount, balance)
    WHERE amount <> 0`.execute(tx)
  if (!numAffectedRows) throw new Error(`there is no user ${to.userId} to post to`)
}

/** A debt dates from the movement that raised it above zero. */
const sinceWhen = (
  cents: number,
  at: Date,
) => sql<Date | null>`CASE WHEN debt_cents + ${cents}::bigint = 0 THEN NULL
  WHEN debt_cents = 0 THEN ${at}::timestamptz ELSE debt_since END`

export interface StatementRow {
  id: number
  at: Date
  movement: Movement
  unit: LedgerUnit
  amount: number
  balance: number
  reason: string
  actor: ActorKind
  actor_email: string | null
  account_uuid: string | null
  account_name: string | null
  plan_names: PlanNames | null
  email: string
}

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
    .select(['t.account_uuid', 't.account_name', 't.plan_names', 'u.email'])
    .orderBy('e.id', 'desc')
    .limit(limit)
  query =
    userId === undefined ? query.where('e.user_id', 'is not', null) : query.where('e.user_id', '=', userId)
  if (before !== undefined) query = query.where('e.id', '<', before)
  return (await query.execute()) as StatementRow[]
}

export async function countStatement(db: Db, userId: number | undefined): Promise<number> {
  const { total } = await db
    .selectFrom('ledger_entries')
    .select((of) => of.fn.countAll<number>().as('total'))
    .where((row) => (userId === undefined ? row('user_id', 'is not', null) : row('user_id', '=', userId)))
    .executeTakeFirstOrThrow()
  return total
}

/** Users whose balance is not the sum of their entries, and units whose two sides do not cancel out. */
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
