import type { UserSort } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { containing, type Order, readPage } from '../../db/page.ts'
import type { UserRecord } from '../../db/schema.ts'

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
  '-userDebt': {
    column: sql`u.debt_cents`,
    kind: 'number',
    isDown: true,
    sortValue: (user) => user.debt_cents,
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
  sort?: UserSort | undefined
}

export async function listUsers(db: Db, { limit, cursor, search, sort = 'userEmail' }: UserQuery) {
  let list = withAccounts(db)
  let counting = db.selectFrom('users as u').select(sql<number>`count(*)`.as('total'))
  if (search) {
    const pattern = containing(search.toLowerCase())
    list = list.where('u.email', 'like', pattern)
    counting = counting.where('u.email', 'like', pattern)
  }
  const [page, { total }] = await Promise.all([
    readPage(list.$castTo<UserWithAccounts>(), orders[sort], { cursor, limit }),
    counting.executeTakeFirstOrThrow(),
  ])
  return { ...page, total }
}

export const userWithAccounts = (db: Db, id: number): Promise<UserWithAccounts> =>
  withAccounts(db).where('u.id', '=', id).executeTakeFirstOrThrow() as Promise<UserWithAccounts>
