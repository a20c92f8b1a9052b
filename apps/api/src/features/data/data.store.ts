import { type Insertable, type Selectable, sql } from 'kysely'
import { type Db, first } from '../../db/database.ts'
import type { DataLeaseRow, DataLimitRow } from '../../db/schema.ts'

export async function insertLimit(tx: Db, limit: Insertable<DataLimitRow>): Promise<void> {
  await tx.insertInto('data_limits').values(limit).execute()
}

export type Limit = Selectable<DataLimitRow>
export type LimitChange = Partial<Omit<Limit, 'account_uuid'>>

export const updateLimit = (
  tx: Db,
  accountUUID: string,
  change: LimitChange,
): Promise<Selectable<DataLimitRow> | undefined> =>
  tx
    .updateTable('data_limits')
    .set(change)
    .where('account_uuid', '=', accountUUID)
    .returningAll()
    .executeTakeFirst()

/** Raises the revision of accounts that change. Returns them. */
export async function setExhausted(tx: Db, uuids: readonly string[], exhausted = true): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`UPDATE accounts SET exhausted = ${exhausted}
    WHERE uuid = ANY (${[...uuids]}::uuid[]) AND exhausted <> ${exhausted} RETURNING uuid`.execute(tx)
  return rows.map(({ uuid }) => uuid)
}

export interface LimitedAccount {
  uuid: string
  bytes: number
  used: number
  reminded: number
  created_at: Date
  ways: number
  /** Ways to servers that have not reported to this database, which may be a restored one. */
  unheard: number
}

/** Of accounts that are locked. Those without a limit are left out. */
export async function limitsOf(tx: Db, ids: readonly string[]): Promise<LimitedAccount[]> {
  const { rows } = await sql<LimitedAccount>`
    SELECT a.uuid, d.bytes, d.used, d.reminded, a.created_at,
      count(*) AS ways, count(*) FILTER (WHERE s.host_uuid IS NULL) AS unheard
    FROM data_limits d JOIN accounts a ON a.uuid = d.account_uuid
      JOIN placements p ON p.account_uuid = a.uuid LEFT JOIN node_states s ON s.host_uuid = p.server_uuid
    WHERE d.account_uuid = ANY (${[...ids]}::uuid[]) GROUP BY a.uuid, d.account_uuid ORDER BY a.uuid`.execute(
    tx,
  )
  return rows
}

export interface KnownLease extends Selectable<DataLeaseRow> {
  /** false: the account has left the server. */
  is_way: boolean
  /** When the server last reported; null: never. */
  heard_at: Date | null
}

export async function leasesOf(tx: Db, ids: readonly string[]): Promise<KnownLease[]> {
  const { rows } = await sql<KnownLease>`
    SELECT l.account_uuid, l.server_uuid, l.frame, l.spent, l.held, l.offered, l.until, l.at, s.at AS heard_at,
      EXISTS (SELECT FROM placements p
        WHERE p.account_uuid = l.account_uuid AND p.server_uuid = l.server_uuid) AS is_way
    FROM data_leases l LEFT JOIN node_states s ON s.host_uuid = l.server_uuid
    WHERE l.account_uuid = ANY (${[...ids]}::uuid[]) ORDER BY l.account_uuid, l.server_uuid`.execute(tx)
  return rows
}

export async function writeUsed(tx: Db, rows: readonly { uuid: string; used: number }[]): Promise<void> {
  await sql`UPDATE data_limits SET used = now.used
    FROM unnest(${rows.map(({ uuid }) => uuid)}::uuid[], ${rows.map(({ used }) => used)}::bigint[]) AS now (uuid, used)
    WHERE account_uuid = now.uuid AND data_limits.used <> now.used`.execute(tx)
}

export async function writeReminded(tx: Db, rows: readonly { uuid: string; share: number }[]): Promise<void> {
  await sql`UPDATE data_limits SET reminded = now.share
    FROM unnest(${rows.map(({ uuid }) => uuid)}::uuid[], ${rows.map(({ share }) => share)}::int[]) AS now (uuid, share)
    WHERE account_uuid = now.uuid`.execute(tx)
}

export async function writeLeases(tx: Db, rows: readonly Selectable<DataLeaseRow>[]): Promise<void> {
  const column = <K extends keyof DataLeaseRow>(name: K) => rows.map((row) => row[name])
  await sql`INSERT INTO data_leases (account_uuid, server_uuid, frame, spent, held, offered, until, at)
    SELECT * FROM unnest(${column('account_uuid')}::uuid[], ${column('server_uuid')}::uuid[], ${column('frame')}::uuid[],
      ${column('spent')}::bigint[], ${column('held')}::bigint[], ${column('offered')}::bigint[],
      ${column('until')}::bigint[], ${column('at')}::timestamptz[])
    ON CONFLICT (account_uuid, server_uuid) DO UPDATE SET frame = excluded.frame, spent = excluded.spent,
      held = excluded.held, offered = excluded.offered, until = excluded.until, at = excluded.at`.execute(tx)
}

export async function forgetLeases(
  tx: Db,
  rows: readonly Pick<DataLeaseRow, 'account_uuid' | 'server_uuid'>[],
): Promise<void> {
  await sql`DELETE FROM data_leases l USING unnest(${rows.map((row) => row.account_uuid)}::uuid[],
      ${rows.map((row) => row.server_uuid)}::uuid[]) AS gone (account_uuid, server_uuid)
    WHERE (l.account_uuid, l.server_uuid) = (gone.account_uuid, gone.server_uuid)`.execute(tx)
}

const differs = sql`(offered <> held OR until > greatest(offered, spent))`

export async function offersFor(tx: Db, serverUUID: string) {
  const { rows } = await sql<{ id: string; frame: string; until: number }>`
    SELECT account_uuid AS id, frame, offered AS until FROM data_leases
    WHERE server_uuid = ${serverUUID} AND ${differs} ORDER BY account_uuid`.execute(tx)
  return rows
}

export const hasOffers = async (db: Db, serverUUID: string): Promise<boolean> =>
  (await first(db, sql`SELECT FROM data_leases WHERE server_uuid = ${serverUUID} AND ${differs} LIMIT 1`)) !==
  undefined

export async function wakeServers(tx: Db, uuids: Iterable<string>): Promise<void> {
  await sql`SELECT pg_notify('kelid_nodes', uuid) FROM unnest(${[...uuids]}::text[]) AS uuid`.execute(tx)
}

/** Accounts with a limit that this server never sent a lease of, and the bytes of all their servers so far. */
export async function totalsWithoutLease(tx: Db, serverUUID: string, ids: readonly string[]) {
  const { rows } = await sql<{ uuid: string; bytes: number }>`
    SELECT d.account_uuid AS uuid, least(coalesce(t.up, 0) + coalesce(t.down, 0), ${most}) AS bytes
    FROM data_limits d LEFT JOIN usage_totals t ON t.account_uuid = d.account_uuid
    WHERE d.account_uuid = ANY (${[...ids]}::uuid[]) AND NOT EXISTS (SELECT FROM data_leases l
      WHERE l.account_uuid = d.account_uuid AND l.server_uuid = ${serverUUID})`.execute(tx)
  return rows
}

const most = sql`${String(Number.MAX_SAFE_INTEGER)}::bigint`

export async function lockAccounts(tx: Db, ids: readonly string[]): Promise<void> {
  await sql`SELECT FROM accounts WHERE uuid = ANY (${[...ids]}::uuid[]) ORDER BY uuid FOR NO KEY UPDATE`.execute(
    tx,
  )
}
