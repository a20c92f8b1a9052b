import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type CursorKind, fromCursor, toCursor } from '../lib/cursor.ts'

/** `identity` breaks ties between rows with the same value. */
export interface Order<Row> {
  column: RawBuilder<unknown>
  kind: CursorKind
  isDown: boolean
  sortValue: (row: Row) => string | number | Date
  identity: { column: RawBuilder<unknown>; kind: 'uuid' | 'number'; of: (row: Row) => string | number }
}

export interface PageOf<Row> {
  rows: Row[]
  nextCursor: string | null
}

interface PageRequest {
  cursor?: string | undefined
  limit?: number | undefined
}

const isBeyond = <Row>({ column, kind, isDown, identity }: Order<Row>, cursor: string) => {
  const [value, id] = fromCursor(cursor, [kind, identity.kind])
  return sql<boolean>`(${column}, ${identity.column}) ${sql.raw(isDown ? '<' : '>')} (${value}, ${id})`
}

/** Expects one row more than the page, which shows whether there is another page. */
export const pageOf = <Row>(
  fetched: Row[],
  { sortValue, identity }: Order<Row>,
  limit: number,
): PageOf<Row> => {
  const rows = fetched.slice(0, limit)
  const last = fetched.length > limit ? rows.at(-1) : undefined
  return { rows, nextCursor: last ? toCursor(sortValue(last), identity.of(last)) : null }
}

export const pageClauses = <Row>(order: Order<Row>, { cursor, limit }: PageRequest): RawBuilder<unknown> => {
  const direction = sql.raw(order.isDown ? 'DESC' : 'ASC')
  const from = cursor === undefined ? sql`` : sql`AND ${isBeyond(order, cursor)}`
  const to = limit === undefined ? sql`` : sql`LIMIT ${limit + 1}`
  return sql`${from} ORDER BY ${order.column} ${direction}, ${order.identity.column} ${direction} ${to}`
}

export async function readPage<DB, Tables extends keyof DB, Row>(
  list: SelectQueryBuilder<DB, Tables, Row>,
  order: Order<Row>,
  { cursor, limit }: PageRequest,
): Promise<PageOf<Row>> {
  const direction = order.isDown ? 'desc' : 'asc'
  let page = list.orderBy(order.column, direction).orderBy(order.identity.column, direction)
  if (cursor !== undefined) page = page.where(isBeyond(order, cursor))
  if (limit === undefined) return { rows: (await page.execute()) as Row[], nextCursor: null }
  return pageOf((await page.limit(limit + 1).execute()) as Row[], order, limit)
}

export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
