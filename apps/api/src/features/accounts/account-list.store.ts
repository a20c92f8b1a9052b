import type { AccountSort, AccountState } from '@kelid/contract'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { Schema } from '../../db/schema.ts'
import { fromCursor, toCursor } from '../../lib/cursor.ts'
import { memo } from '../../lib/memo.ts'
import { line, linesOf, recordOf } from './account-line.store.ts'
import { type AccountRecord, whole } from './accounts.store.ts'

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

/** The lines of a page in one text: a row for each would have to be taken apart one by one. */
const pageOf = (form: Form) =>
  prepared((db, values: Values) => {
    const { isDown, column } = sortOf(form.sort)
    const direction = isDown ? 'desc' : 'asc'
    let page = whole(db)
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
    return linesOf(db, page).select(sql<string | null>`string_agg(${line}, E'\\n')`.as('lines'))
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
  const found = (await page(db, values)).rows[0]?.lines?.split('\n') ?? []
  if (!isPaged) return { lines: found }
  const hasMore = found.length > limit
  const lines = found.slice(0, limit)
  const last = hasMore ? recordOf(lines.at(-1) ?? '') : null
  return {
    lines,
    total: cursor || hasMore ? await numberOf(count(db, values)) : lines.length,
    nextCursor: last && toCursor(sortValue(last), last.uuid),
  }
}

const numberOf = async (counted: ReturnType<Statements['count']>) => (await counted).rows[0]?.total ?? 0
