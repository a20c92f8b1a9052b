import {
  type DebtAge,
  day,
  limits,
  phonePart,
  toLatinDigits,
  type UserFilter,
  type UserSort,
} from '@kelid/contract'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { containing, type Order, readPage } from '../../db/page.ts'
import type { Schema, UserRecord } from '../../db/schema.ts'

export interface UserWithAccounts extends UserRecord {
  accounts: number
}

const withAccounts = (db: Db) =>
  db
    .selectFrom('users as u')
    .selectAll('u')
    .select((row) =>
      row
        .selectFrom('accounts as a')
        .whereRef('a.user_id', '=', 'u.id')
        .select(sql<number>`count(*)`.as('accounts'))
        .as('accounts'),
    )

const identity: Order<UserWithAccounts>['identity'] = {
  column: sql`u.id`,
  kind: 'number',
  of: (user) => user.id,
}

const orders: Record<UserSort, Order<UserWithAccounts>> = {
  userEmail: {
    column: sql`u.email`,
    kind: 'text',
    isDown: false,
    sortValue: (user) => user.email,
    identity,
  },
  '-userCredit': {
    column: sql`u.points`,
    kind: 'number',
    isDown: true,
    sortValue: (user) => user.points,
    identity,
  },
  '-userTunnelCredit': {
    column: sql`u.tunnel_credit`,
    kind: 'number',
    isDown: true,
    sortValue: (user) => user.tunnel_credit,
    identity,
  },
  '-userDebt': {
    column: sql`u.debt_cents`,
    kind: 'number',
    isDown: true,
    sortValue: (user) => user.debt_cents,
    identity,
  },
  userDebtSince: {
    column: sql`coalesce(u.debt_since, '9999-12-31T00:00:00Z'::timestamptz)`,
    kind: 'date',
    isDown: false,
    sortValue: (user) => user.debt_since ?? new Date('9999-12-31T00:00:00Z'),
    identity,
  },
  '-userCreatedDate': {
    column: sql`u.created_at`,
    kind: 'date',
    isDown: true,
    sortValue: (user) => user.created_at,
    identity,
  },
}

export interface UserQuery {
  limit: number
  cursor?: string | undefined
  search?: string | undefined
  filter?: UserFilter | undefined
  sort?: UserSort | undefined
}

type Row = ExpressionBuilder<{ u: Schema['users'] }, 'u'>

function debtAge(now: Date) {
  const ago = (days: number) => new Date(now.getTime() - days * day)
  return sql<DebtAge>`CASE WHEN debt_since > ${ago(7)} THEN 'week' WHEN debt_since > ${ago(30)} THEN 'month'
    WHEN debt_since > ${ago(90)} THEN 'quarter' ELSE 'older' END`
}

export async function debtByAge(db: Db, now: Date) {
  const { rows } = await sql<{ age: DebtAge; users: number; cents: number }>`
    SELECT ${debtAge(now)} AS age, count(*) AS users, sum(debt_cents) AS cents
    FROM users WHERE debt_cents > 0 GROUP BY 1`.execute(db)
  return rows
}

const owesFor = (row: Row, age: DebtAge, now: Date) =>
  row.and([row('u.debt_cents', '>', 0), row(debtAge(now), '=', age)])

const isIn = (row: Row, filter: UserFilter, now: Date) =>
  ({
    debtors: row('u.debt_cents', '>', 0),
    'debt-week': owesFor(row, 'week', now),
    'debt-month': owesFor(row, 'month', now),
    'debt-quarter': owesFor(row, 'quarter', now),
    'debt-older': owesFor(row, 'older', now),
    suspended: row('u.suspended_at', 'is not', null),
    admins: row('u.level', '>', limits.adminLevelAbove),
    customRate: row('u.credit_rate', 'is not', null),
  })[filter]

function matchesSearch(row: Row, search: string) {
  const text = toLatinDigits(search).toLowerCase()
  const ofEmail = row('u.email', 'like', containing(text))
  const phone = phonePart(text)
  return phone === null ? ofEmail : row.or([ofEmail, row('u.phone', 'like', containing(phone))])
}

const matches =
  ({ search, filter }: UserQuery, now: Date) =>
  (row: Row) =>
    row.and([...(search ? [matchesSearch(row, search)] : []), ...(filter ? [isIn(row, filter, now)] : [])])

export async function listUsers(db: Db, query: UserQuery, now: Date) {
  const { cursor, limit, sort = 'userEmail' } = query
  const list = withAccounts(db).where(matches(query, now))
  const counting = db
    .selectFrom('users as u')
    .select(sql<number>`count(*)`.as('total'))
    .where(matches(query, now))
  const [page, { total }] = await Promise.all([
    readPage(list.$castTo<UserWithAccounts>(), orders[sort], { cursor, limit }),
    counting.executeTakeFirstOrThrow(),
  ])
  return { ...page, total }
}

export const userWithAccounts = (db: Db, id: number): Promise<UserWithAccounts> =>
  withAccounts(db).where('u.id', '=', id).executeTakeFirstOrThrow() as Promise<UserWithAccounts>
