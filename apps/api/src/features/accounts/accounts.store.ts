import type { AccountSort, AccountState } from '@kelid/contract'
import { type ExpressionBuilder, type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { AccountRow, Schema } from '../../db/schema.ts'
import { fromCursor, toCursor } from '../../lib/cursor.ts'

/** An account with what its link and its flag are made of. */
export interface AccountRecord extends Selectable<AccountRow> {
  country_id: number
  server_ipv4: string
  server_url: string
  server_port: number
  server_sni: string
  tunnel_ipv4: string | null
  tunnel_port: number | null
}

const withHosts = (db: Db) =>
  db
    .selectFrom('accounts as a')
    .innerJoin('servers as s', 's.uuid', 'a.server_uuid')
    .leftJoin('tunnels as t', 't.uuid', 'a.tunnel_uuid')
    .selectAll('a')
    .select(['s.country_id', 's.ipv4 as server_ipv4', 's.url as server_url', 's.port as server_port'])
    .select(sql<string>`s.details ->> 'serverSNIAddress'`.as('server_sni'))
    .select(['t.ipv4 as tunnel_ipv4', 't.port as tunnel_port'])

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
  if (limit === undefined) return { rows: (await page.execute()) as AccountRecord[] }
  const [rows, counted] = await Promise.all([
    page.limit(limit + 1).execute() as Promise<AccountRecord[]>,
    matching.clearSelect().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown,
    total: counted.total,
    nextCursor: rows.length > limit && last ? toCursor(sortValue(last), last.uuid) : null,
  }
}

export const findOwnAccount = (db: Db, userId: number, uuid: string): Promise<AccountRecord | undefined> =>
  withHosts(db).where('a.uuid', '=', uuid).where('a.user_id', '=', userId).executeTakeFirst() as Promise<
    AccountRecord | undefined
  >

export const findAccount = (db: Db, uuid: string): Promise<AccountRecord | undefined> =>
  withHosts(db).where('a.uuid', '=', uuid).executeTakeFirst() as Promise<AccountRecord | undefined>

export const findAccountByLink = (db: Db, subscriptionHash: Buffer): Promise<AccountRecord | undefined> =>
  withHosts(db).where('a.subscription_hash', '=', subscriptionHash).executeTakeFirst() as Promise<
    AccountRecord | undefined
  >

/** Second in the lock order user -> account -> server; a foreign account is not found. */
export type LockedAccount = Selectable<AccountRow>

export const lockOwnAccount = (tx: Db, userId: number, uuid: string): Promise<LockedAccount | undefined> =>
  tx
    .selectFrom('accounts')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()

export async function insertAccount(tx: Db, account: Insertable<AccountRow>): Promise<void> {
  await tx.insertInto('accounts').values(account).execute()
}

export async function updateAccount(
  tx: Db,
  uuid: string,
  change: Partial<
    Pick<
      Selectable<AccountRow>,
      | 'enabled'
      | 'expires_at'
      | 'expiry_noted_at'
      | 'abused'
      | 'abuse_devices'
      | 'abuse_seen_at'
      | 'secrets'
      | 'subscription_hash'
    >
  >,
): Promise<void> {
  await tx.updateTable('accounts').set(change).where('uuid', '=', uuid).execute()
}

export const deleteOwnAccount = (
  tx: Db,
  userId: number,
  uuid: string,
): Promise<{ server_uuid: string; tunnel_uuid: string | null } | undefined> =>
  tx
    .deleteFrom('accounts')
    .where('uuid', '=', uuid)
    .where('user_id', '=', userId)
    .returning(['server_uuid', 'tunnel_uuid'])
    .executeTakeFirst()

/** Accounts that ran out and were not noted yet. One that somebody holds is left for the next time. */
export async function noteExpired(
  tx: Db,
  now: Date,
  limit: number,
): Promise<{ uuid: string; user_id: number }[]> {
  const due = tx
    .selectFrom('accounts')
    .select('uuid')
    .where('expires_at', '<=', now)
    .where('expiry_noted_at', 'is', null)
    .orderBy('expires_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  return tx
    .updateTable('accounts')
    .set({ expiry_noted_at: now })
    .where('uuid', 'in', due)
    .returning(['uuid', 'user_id'])
    .execute()
}

/** Claims a key for this request; the earlier owner's account when the key was used within its life. */
export async function claimKey(
  tx: Db,
  key: { user_id: number; key: string; request_hash: Buffer; created_at: Date },
  expiredBefore: Date,
): Promise<{ request_hash: Buffer; account_uuid: string | null } | null> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', key.user_id)
    .where('key', '=', key.key)
    .where('created_at', '<', expiredBefore)
    .execute()
  const done = await tx
    .insertInto('idempotency_keys')
    .values({ ...key, account_uuid: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if ((done.numInsertedOrUpdatedRows ?? 0n) > 0n) return null
  return tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'account_uuid'])
    .where('user_id', '=', key.user_id)
    .where('key', '=', key.key)
    .executeTakeFirstOrThrow()
}

export async function fillKey(tx: Db, userId: number, key: string, accountUuid: string): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ account_uuid: accountUuid })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute()
}

export async function purgeKeys(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
