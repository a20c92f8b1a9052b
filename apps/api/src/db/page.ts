import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type CursorKind, fromCursor, toCursor } from '../lib/cursor.ts'

/** What a list is sorted by; `identity` tells rows apart that have the same value there. */
export interface Order<Row> {
  column: RawBuilder<unknown>
  kind: CursorKind
  isDown: boolean
  sortValue: (row: Row) => string | number | Date
  identity: { column: RawBuilder<unknown>; kind: 'uuid' | 'number'; of: (row: Row) => string | number }
}

export interface PageOf<Row> {
  rows: Row[]
  /** null is the last page. */
  nextCursor: string | null
}

/** The rows of a list in that order, from the cursor on; without a limit all of them. */
export async function readPage<DB, Tables extends keyof DB, Row>(
  list: SelectQueryBuilder<DB, Tables, Row>,
  { column, kind, isDown, sortValue, identity }: Order<Row>,
  { cursor, limit }: { cursor?: string | undefined; limit?: number | undefined },
): Promise<PageOf<Row>> {
  const direction = isDown ? 'desc' : 'asc'
  let page = list.orderBy(column, direction).orderBy(identity.column, direction)
  if (cursor !== undefined) {
    const [value, id] = fromCursor(cursor, [kind, identity.kind])
    const isBeyond = sql.raw(isDown ? '<' : '>')
    page = page.where(sql<boolean>`(${column}, ${identity.column}) ${isBeyond} (${value}, ${id})`)
  }
  if (limit === undefined) return { rows: (await page.execute()) as Row[], nextCursor: null }
  const found = (await page.limit(limit + 1).execute()) as Row[]
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, nextCursor: last ? toCursor(sortValue(last), identity.of(last)) : null }
}

/** What `ilike` finds text by that has these characters somewhere in it. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
