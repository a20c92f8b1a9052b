import type { UserSort } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { UserRecord } from '../../db/schema.ts'
import { fromCursor, toCursor } from '../../lib/cursor.ts'

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

const sorts = {
  userEmail: {
    column: 'u.email',
    direction: 'asc',
    kind: 'text',
    sortValue: (user: UserWithAccounts) => user.email,
  },
  '-userCredit': {
    column: 'u.points',
    direction: 'desc',
    kind: 'number',
    sortValue: (user: UserWithAccounts) => user.points,
  },
  '-userDebt': {
    column: 'u.debt_cents',
    direction: 'desc',
    kind: 'number',
    sortValue: (user: UserWithAccounts) => user.debt_cents,
  },
  '-userCreatedDate': {
    column: 'u.created_at',
    direction: 'desc',
    kind: 'date',
    sortValue: (user: UserWithAccounts) => user.created_at,
  },
} as const satisfies Record<UserSort, unknown>

export interface UserQuery {
  limit: number
  cursor?: string | undefined
  search?: string | undefined
  sort?: UserSort | undefined
}

export async function listUsers(db: Db, { limit, cursor, search, sort = 'userEmail' }: UserQuery) {
  const { column, direction, kind, sortValue } = sorts[sort]
  const pattern = search ? `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%` : null
  let page = withAccounts(db)
    .orderBy(column, direction)
    .orderBy('u.id', direction)
    .limit(limit + 1)
  if (pattern) page = page.where('u.email', 'like', pattern)
  if (cursor) {
    const [value, id] = fromCursor(cursor, [kind, 'number'])
    page = page.where(
      sql<boolean>`(${sql.ref(column)}, u.id) ${sql.raw(direction === 'desc' ? '<' : '>')} (${value}, ${id})`,
    )
  }
  let counting = db.selectFrom('users as u').select(sql<number>`count(*)`.as('total'))
  if (pattern) counting = counting.where('u.email', 'like', pattern)
  const [rows, counted] = await Promise.all([page.execute(), counting.executeTakeFirstOrThrow()])
  const shown = rows.slice(0, limit) as UserWithAccounts[]
  const last = shown.at(-1)
  return {
    rows: shown,
    total: counted.total,
    nextCursor: rows.length > limit && last ? toCursor(sortValue(last), last.id) : null,
  }
}

export const userWithAccounts = (db: Db, id: number): Promise<UserWithAccounts> =>
  withAccounts(db).where('u.id', '=', id).executeTakeFirstOrThrow() as Promise<UserWithAccounts>
