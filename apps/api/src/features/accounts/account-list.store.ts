import { type AccountFilterState, type AccountSort, accountFilters, day, limits } from '@kelid/contract'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { containing, type Order, type PageOf, readPage } from '../../db/page.ts'
import type { Schema } from '../../db/schema.ts'
import { type AccountRecord, whole } from './accounts.store.ts'
import { ofAnyone } from './any-account.store.ts'

export interface AccountQuery {
  /** Whose. That it is anyone's business is said in so many words: nothing that is left out opens the list. */
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

type Row = ExpressionBuilder<{ a: Schema['accounts'] }, 'a'>

const isIn = (row: Row, state: AccountFilterState, now: Date) => {
  const isExpired = row('a.expires_at', '<=', now)
  const isActive = row.and([row('a.enabled', '=', true), row.not(isExpired)])
  const soon = new Date(now.getTime() + limits.expiringDays * day)
  const which = {
    abused: row('a.abused', '=', true),
    disabled: row.and([row('a.abused', '=', false), row('a.enabled', '=', false)]),
    expired: row.and([row('a.enabled', '=', true), isExpired]),
    active: isActive,
    expiring: row.and([isActive, row('a.expires_at', '<=', soon)]),
  }
  return which[state]
}

/** Ownership is part of the question. */
const matches =
  ({ owner, server, tunnel, now, search, state }: AccountQuery) =>
  (row: Row) =>
    row.and([
      ...(owner === 'anyone' ? [] : [row('a.user_id', '=', owner)]),
      ...(server ? [row('a.server_uuid', '=', server)] : []),
      ...(tunnel ? [row('a.tunnel_uuid', '=', tunnel)] : []),
      ...(search ? [row('a.name', 'ilike', containing(search))] : []),
      ...(state ? [isIn(row, state, now)] : []),
    ])

/** Without a limit everything comes, as a bare body of the specification expects. */
export async function listAccounts(db: Db, query: AccountQuery) {
  const page = await readPage(whole(db).where(matches(query)), orderOf(query), query)
  return query.limit === undefined ? { rows: page.rows } : withTotal(db, query, page)
}

/** As an administrator sees them. */
export const listAnyAccounts = async (db: Db, query: AccountQuery & { limit: number }) =>
  withTotal(db, query, await readPage(ofAnyone(db).where(matches(query)), orderOf(query), query))

async function withTotal<Row>(db: Db, query: AccountQuery, page: PageOf<Row>) {
  const isAll = !query.cursor && page.nextCursor === null
  return { ...page, total: isAll ? page.rows.length : await countAccounts(db, query) }
}

async function countAccounts(db: Db, query: AccountQuery): Promise<number> {
  const { total } = await db
    .selectFrom('accounts as a')
    .select((of) => of.fn.countAll<number>().as('total'))
    .where(matches(query))
    .executeTakeFirstOrThrow()
  return total
}

/** Of one user; the expiring ones are among the active ones. */
export const countByState = (
  db: Db,
  userId: number,
  now: Date,
): Promise<Record<AccountFilterState, number>> =>
  db
    .selectFrom('accounts as a')
    .select((row) =>
      accountFilters.map((state) =>
        row.fn
          .countAll<number>()
          .filterWhere(isIn(row, state, now))
          .as(state),
      ),
    )
    .where('a.user_id', '=', userId)
    .executeTakeFirstOrThrow()
