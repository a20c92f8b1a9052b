import { type AccountFilterState, type AccountSort, accountFilters, day, limits } from '@kelid/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, only } from '../../db/database.ts'
import { containing, type Order, pageClauses, pageOf } from '../../db/page.ts'
import { type AccountRecord, selectAccounts } from './accounts.store.ts'
import { ofAnyone } from './any-account.store.ts'

export interface AccountQuery {
  /** Explicit on purpose: omitting the owner never lists everyone's accounts. */
  owner: number | 'anyone'
  server?: string | undefined
  tunnel?: string | undefined
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

const orderOf = ({ sort = '-accountCreatedDate' }: AccountQuery): Order<AccountRecord> => ({
  ...sortColumns[sort.replace('-', '') as keyof typeof sortColumns],
  isDown: sort.startsWith('-'),
  identity: { column: sql`a.uuid`, kind: 'uuid', of: (row) => row.uuid },
})

const active = (now: Date) => sql`a.enabled AND a.expires_at > ${now} AND NOT a.exhausted`

const conditions: Record<AccountFilterState, (now: Date) => RawBuilder<unknown>> = {
  abused: () => sql`a.abused`,
  disabled: () => sql`NOT a.abused AND NOT a.enabled`,
  expired: (now) => sql`a.enabled AND a.expires_at <= ${now}`,
  limited: (now) => sql`a.enabled AND a.expires_at > ${now} AND a.exhausted`,
  active,
  expiring: (now) =>
    sql`${active(now)} AND a.expires_at <= ${new Date(now.getTime() + limits.expiringDays * day)}`,
  lowData: (now) => sql`${active(now)} AND EXISTS (SELECT FROM data_limits d
    WHERE d.account_uuid = a.uuid AND d.used >= d.bytes * ${limits.lowDataShare}::float8)`,
}

const isPlacedAt = (host: RawBuilder<unknown>) =>
  sql`a.uuid IN (SELECT account_uuid FROM placements WHERE ${host})`

const matches = ({ owner, server, tunnel, now, search, state }: AccountQuery) => {
  const all = [owner === 'anyone' ? sql`true` : sql`a.user_id = ${owner}`]
  if (server) all.push(isPlacedAt(sql`server_uuid = ${server}`))
  if (tunnel) all.push(isPlacedAt(sql`tunnel_uuid = ${tunnel}`))
  if (search) all.push(sql`a.name ILIKE ${containing(search)}`)
  if (state) all.push(conditions[state](now))
  return sql.join(all, sql` AND `)
}

/** Without a limit it returns all, as spec.md requires for an empty body. */
export const listAccounts = (db: Db, query: AccountQuery) => read(db, selectAccounts, query)

export const listAnyAccounts = (db: Db, query: AccountQuery) => read(db, ofAnyone, query)

async function read<Row extends AccountRecord>(db: Db, list: RawBuilder<Row>, query: AccountQuery) {
  const { limit, cursor } = query
  const order = orderOf(query)
  const { rows } = await sql<Row>`${list} WHERE ${matches(query)} ${pageClauses(order, query)}`.execute(db)
  if (limit === undefined) return { rows }
  const page = pageOf(rows, order, limit)
  const isAll = !cursor && page.nextCursor === null
  return { ...page, total: isAll ? page.rows.length : await countAccounts(db, query) }
}

const countAccounts = async (db: Db, query: AccountQuery): Promise<number> =>
  (await only(db, sql<{ total: number }>`SELECT count(*) AS total FROM accounts a WHERE ${matches(query)}`))
    .total

export const countByState = (
  db: Db,
  userId: number,
  now: Date,
): Promise<Record<AccountFilterState, number>> => {
  const counts = accountFilters.map(
    (state) => sql`count(*) FILTER (WHERE ${conditions[state](now)}) AS ${sql.ref(state)}`,
  )
  return only(
    db,
    sql<
      Record<AccountFilterState, number>
    >`SELECT ${sql.join(counts)} FROM accounts a WHERE a.user_id = ${userId}`,
  )
}
