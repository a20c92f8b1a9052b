import type { AccountSort, AccountState } from '@kelid/contract'
import { type ExpressionBuilder, type ShallowDehydrateObject, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { Schema } from '../../db/schema.ts'
import { fromCursor, toCursor } from '../../lib/cursor.ts'
import { memo } from '../../lib/memo.ts'
import { type AccountRecord, withHosts } from './accounts.store.ts'

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

/** What the text of the statement depends on; everything else about a question is a value in it. */
interface Form {
  sort: AccountSort
  state: AccountState | undefined
  hasSearch: boolean
  hasCursor: boolean
  hasLimit: boolean
}

interface Values {
  userId: number
  now: Date
  pattern: string
  lastValue: unknown
  lastUuid: string
  limit: number
}

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

/** Ownership is part of the question. */
const matches = (row: Row, { state, hasSearch }: Form, { userId, now, pattern }: Values) =>
  row.and([
    row('a.user_id', '=', userId),
    ...(hasSearch ? [row('a.name', 'ilike', pattern)] : []),
    ...(state ? [isIn(row, state, now)] : []),
  ])

/**
 * Each row as one JSON text. The driver takes rows apart field by field, which for a page of accounts cost more than
 * everything else in the call together; and a text that was seen before need not be read again.
 */
const pageOf = (form: Form) =>
  prepared((db, values: Values) => {
    const { isDown, column } = sortOf(form.sort)
    const direction = isDown ? 'desc' : 'asc'
    let page = withHosts(db)
      .select(sql<string>`encode(a.secrets, 'hex')`.as('secrets'))
      .where((row) => matches(row, form, values))
      .orderBy(column, direction)
      .orderBy('a.uuid', direction)
    if (form.hasCursor) {
      const isBeyond = sql.raw(isDown ? '<' : '>')
      page = page.where(
        sql<boolean>`(${column}, a.uuid) ${isBeyond} (${values.lastValue}, ${values.lastUuid})`,
      )
    }
    if (form.hasLimit) page = page.limit(values.limit)
    return db
      .selectFrom(page.as('row'))
      .select(sql<string>`row_to_json(row)::text`.as('text'))
      .select(sql<number>`extract(epoch FROM row.expires_at)::float8 * 1000`.as('expires'))
  })

const countOf = (form: Form) =>
  prepared((db, values: Values) =>
    db
      .selectFrom('accounts as a')
      .select(sql<number>`count(*)`.as('total'))
      .where((row) => matches(row, form, values)),
  )

const compose = (form: Form) => ({ page: pageOf(form), count: countOf(form) })
type Statements = ReturnType<typeof compose>
const forms = memo<Statements>(500)
const statementsOf = (form: Form) => forms(JSON.stringify(form), () => compose(form))

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

export interface ListedRow {
  text: string
  /** When it expires, in milliseconds. */
  expires: number
}

/** Without a limit everything comes, as a bare body of the specification expects. */
export async function listAccounts(db: Db, query: AccountQuery) {
  const { userId, now, limit, cursor, search = '', state, sort = '-accountCreatedDate' } = query
  const { kind, sortValue } = sortOf(sort)
  const [lastValue, lastUuid] = cursor ? fromCursor(cursor, [kind, 'uuid']) : [null, '']
  const isPaged = limit !== undefined
  const { page, count } = statementsOf({
    sort,
    state,
    hasSearch: search !== '',
    hasCursor: cursor !== undefined,
    hasLimit: isPaged,
  })
  const pattern = `%${escapeLike(search)}%`
  const values = { userId, now, pattern, lastValue, lastUuid, limit: isPaged ? limit + 1 : 0 }
  const { rows: found } = await page(db, values)
  if (!isPaged) return { rows: found }
  const hasMore = found.length > limit
  const rows = found.slice(0, limit)
  const last = hasMore ? recordOf(rows.at(-1)?.text ?? '') : null
  return {
    rows,
    total: cursor || hasMore ? await numberOf(count(db, values)) : rows.length,
    nextCursor: last && toCursor(sortValue(last), last.uuid),
  }
}

const numberOf = async (counted: ReturnType<Statements['count']>) => (await counted).rows[0]?.total ?? 0

export function recordOf(text: string): AccountRecord {
  const row = JSON.parse(text) as ShallowDehydrateObject<AccountRecord>
  return {
    ...row,
    secrets: Buffer.from(row.secrets, 'hex'),
    expires_at: new Date(row.expires_at),
    created_at: new Date(row.created_at),
    abuse_seen_at: row.abuse_seen_at === null ? null : new Date(row.abuse_seen_at),
  }
}
