import { type AccountFilterState, type AccountSort, day, limits } from '@kelid/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, only } from '../../db/database.ts'
import { containing, type Order, pageClauses, pageOf } from '../../db/page.ts'
import { type AccountRecord, whole } from './accounts.store.ts'

export interface AccountQuery {
  userId: number
  now: Date
  limit?: number | undefined
  cursor?: string | undefined
  search?: string | undefined
  state?: AccountFilterState | undefined
  sort?: AccountSort | undefined
}

const sortColumns = {
  accountName: {
    column: sql<string>`lower(a.name)`,
    kind: 'text',
    sortValue: (row: AccountRecord) => row.name.toLowerCase(),
  },
  accountExpireDate: {
    column: sql<Date>`a.expires_at`,
    kind: 'date',
    sortValue: (row: AccountRecord) => row.expires_at,
  },
  accountCreatedDate: {
    column: sql<Date>`a.created_at`,
    kind: 'date',
    sortValue: (row: AccountRecord) => row.created_at,
  },
} as const

const orderOf = (sort: AccountSort): Order<AccountRecord> => ({
  ...sortColumns[sort.replace('-', '') as keyof typeof sortColumns],
  isDown: sort.startsWith('-'),
  identity: { column: sql`a.uuid`, kind: 'uuid', of: (row) => row.uuid },
})

const conditions: Record<AccountFilterState, (now: Date) => RawBuilder<unknown>> = {
  abused: () => sql`a.abused`,
  disabled: () => sql`NOT a.abused AND NOT a.enabled`,
  expired: (now) => sql`a.enabled AND a.expires_at <= ${now}`,
  active: (now) => sql`a.enabled AND a.expires_at > ${now}`,
  expiring: (now) =>
    sql`a.enabled AND a.expires_at > ${now} AND a.expires_at <= ${new Date(now.getTime() + limits.expiringDays * day)}`,
}

/** Ownership is part of the question. */
const matches = ({ userId, now, search, state }: AccountQuery) => {
  const all = [sql`a.user_id = ${userId}`]
  if (search) all.push(sql`a.name ILIKE ${containing(search)}`)
  if (state) all.push(conditions[state](now))
  return sql.join(all, sql` AND `)
}

/** Without a limit everything comes, as a bare body of the specification expects. */
export async function listAccounts(db: Db, query: AccountQuery) {
  const { limit, cursor, sort = '-accountCreatedDate' } = query
  const order = orderOf(sort)
  const { rows } =
    await sql<AccountRecord>`${whole} WHERE ${matches(query)} ${pageClauses(order, query)}`.execute(db)
  if (limit === undefined) return { rows }
  const page = pageOf(rows, order, limit)
  const isAll = !cursor && page.nextCursor === null
  return { ...page, total: isAll ? page.rows.length : await countAccounts(db, query) }
}

const countAccounts = async (db: Db, query: AccountQuery): Promise<number> =>
  (await only(db, sql<{ total: number }>`SELECT count(*) AS total FROM accounts a WHERE ${matches(query)}`))
    .total
