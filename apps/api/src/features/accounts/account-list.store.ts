import type { AccountSort, AccountState } from '@kelid/contract'
import { type ExpressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'
import { fromCursor, toCursor } from '../../lib/cursor.ts'
import { type AccountRecord, withHosts } from './accounts.store.ts'

type Row = ExpressionBuilder<{ a: Schema['accounts'] }, 'a'>

const isIn = (row: Row, state: AccountState, now: Date) => {
  const isExpired = row('a.expires_at', '<=', now)
  const which = {
    abused: row('a.abused', '=', true),
    disabled: row.and([row('a.abused', '=', false), row('a.enabled', '=', false)]),
    expired: row.and([row('a.enabled', '=', true), isExpired]),
    active: row.and([row('a.enabled', '=', true), row.not(isExpired)]),
  }
  return which[state]
}

export interface AccountQuery {
  userId: number
  now: Date
  limit?: number | undefined
  cursor?: string | undefined
  search?: string | undefined
  state?: AccountState | undefined
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

const sortOf = (sort: AccountSort) => {
  const isDown = sort.startsWith('-')
  return { isDown, ...sortColumns[sort.replace('-', '') as keyof typeof sortColumns] }
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

type Page = ReturnType<typeof withHosts>

/**
 * The rows as one JSON text. The driver takes rows apart field by field, which for a page of accounts cost more than
 * everything else in the call together.
 */
async function readRows(db: Db, page: Page): Promise<AccountRecord[]> {
  const secrets = sql<string>`encode(a.secrets, 'hex')`.as('secrets')
  const { rows } = await db
    .selectNoFrom(jsonArrayFrom(page.select(secrets)).as('rows'))
    .executeTakeFirstOrThrow()
  return rows.map((row) => ({
    ...row,
    secrets: Buffer.from(row.secrets, 'hex'),
    expires_at: new Date(row.expires_at),
    created_at: new Date(row.created_at),
    abuse_seen_at: row.abuse_seen_at === null ? null : new Date(row.abuse_seen_at),
  }))
}

/** Ownership is part of the query. Without a limit everything comes, as a bare body of the specification expects. */
export async function listAccounts(db: Db, query: AccountQuery) {
  const { userId, now, limit, cursor, search, state, sort = '-accountCreatedDate' } = query
  const { isDown, column, kind, sortValue } = sortOf(sort)
  const direction = isDown ? 'desc' : 'asc'
  let matching = withHosts(db).where('a.user_id', '=', userId)
  if (search) matching = matching.where('a.name', 'ilike', `%${escapeLike(search)}%`)
  if (state) matching = matching.where((row) => isIn(row, state, now))
  let page = matching.orderBy(column, direction).orderBy('a.uuid', direction)
  if (cursor) {
    const [value, uuid] = fromCursor(cursor, [kind, 'uuid'])
    page = page.where(sql<boolean>`(${column}, a.uuid) ${sql.raw(isDown ? '<' : '>')} (${value}, ${uuid})`)
  }
  if (limit === undefined) return { rows: await readRows(db, page) }
  const rows = await readRows(db, page.limit(limit + 1))
  const hasMore = rows.length > limit
  const shown = hasMore ? rows.slice(0, limit) : rows
  const last = shown.at(-1)
  return {
    rows: shown,
    total: cursor || hasMore ? await count(matching) : rows.length,
    nextCursor: hasMore && last ? toCursor(sortValue(last), last.uuid) : null,
  }
}

const count = async (matching: Page): Promise<number> => {
  const counting = matching.clearSelect().select(sql<number>`count(*)`.as('total'))
  return (await counting.executeTakeFirstOrThrow()).total
}
