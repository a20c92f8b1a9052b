import type { Finding, HostKind } from '@kelid/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { containing } from '../../db/page.ts'

/** The trigram index needs three characters; shorter text matches the beginning only. */
const partFrom = 3

const patternsFor = (text: string): string[] => {
  const part = containing(text)
  return [part.slice(1, -1), part.slice(1), ...(text.length < partFrom ? [] : [part])]
}

export interface SearchResult extends Finding {
  rank: number
}

/** Reads a few rows per rank without sorting: a broad search stops early, and a narrow one uses the index. */
async function searchByRank(
  db: Db,
  text: string,
  limit: number,
  rowsLike: (pattern: string) => RawBuilder<unknown>,
): Promise<SearchResult[]> {
  const tiers = patternsFor(text).map(
    (pattern, rank) => sql`(SELECT *, ${sql.lit(rank)} AS rank FROM (${rowsLike(pattern)}) t LIMIT ${limit})`,
  )
  const { rows } = await sql<SearchResult>`${sql.join(tiers, sql` UNION ALL `)}`.execute(db)
  return rows
}

const userColumns = sql`'user' AS kind, u.email AS id, u.email AS title, coalesce(u.phone, '') AS detail`
const accountColumns = sql`'account' AS kind, a.uuid::text AS id, a.name AS title, u.email::text AS detail`
const accounts = sql`accounts a JOIN users u ON u.id = a.user_id`
const hostColumns = (kind: HostKind) =>
  sql`${sql.lit(kind)} AS kind, uuid::text AS id, name AS title, url || ' ' || ipv4 AS detail`
const tableOf = { server: sql.table('servers'), tunnel: sql.table('tunnels') } as const

export const usersByEmail = (db: Db, text: string, limit: number): Promise<SearchResult[]> =>
  searchByRank(
    db,
    text.toLowerCase(),
    limit,
    (pattern) => sql`SELECT ${userColumns} FROM users u WHERE u.email LIKE ${pattern}`,
  )

export const usersByPhone = (db: Db, digits: string, limit: number): Promise<SearchResult[]> =>
  searchByRank(
    db,
    digits,
    limit,
    (pattern) => sql`SELECT ${userColumns} FROM users u WHERE u.phone LIKE ${pattern}`,
  )

export const accountsByName = (db: Db, text: string, limit: number): Promise<SearchResult[]> =>
  searchByRank(
    db,
    text,
    limit,
    (pattern) => sql`SELECT ${accountColumns} FROM ${accounts} WHERE a.name ILIKE ${pattern}`,
  )

export const hostsByText = (db: Db, kind: HostKind, text: string, limit: number): Promise<SearchResult[]> =>
  searchByRank(
    db,
    text,
    limit,
    (pattern) => sql`SELECT ${hostColumns(kind)} FROM ${tableOf[kind]}
      WHERE name ILIKE ${pattern} OR url ILIKE ${pattern} OR ipv4 ILIKE ${pattern}`,
  )

export async function byUuid(db: Db, uuid: string): Promise<SearchResult[]> {
  const { rows } = await sql<SearchResult>`
    SELECT ${accountColumns}, 0 AS rank FROM ${accounts} WHERE a.uuid = ${uuid}
    UNION ALL SELECT ${hostColumns('server')}, 0 FROM servers WHERE uuid = ${uuid}
    UNION ALL SELECT ${hostColumns('tunnel')}, 0 FROM tunnels WHERE uuid = ${uuid}`.execute(db)
  return rows
}

export async function accountsByLink(db: Db, subscriptionHash: Buffer): Promise<SearchResult[]> {
  const { rows } = await sql<SearchResult>`
    SELECT ${accountColumns}, 0 AS rank FROM ${accounts} WHERE a.subscription_hash = ${subscriptionHash}`.execute(
    db,
  )
  return rows
}

/** An IPv6 address has several spellings, so it cannot be compared as text. */
export async function hostsWithIpv6(db: Db): Promise<(SearchResult & { ipv6: string })[]> {
  const { rows } = await sql<SearchResult & { ipv6: string }>`
    SELECT ${hostColumns('server')}, 0 AS rank, details ->> 'serverIPV6' AS ipv6 FROM servers
    WHERE details ->> 'serverIPV6' <> ''
    UNION ALL SELECT ${hostColumns('tunnel')}, 0, ipv6 FROM tunnels WHERE ipv6 <> ''`.execute(db)
  return rows
}

export interface Candidate extends SearchResult {
  uuid: string
  secrets: Buffer
  further_servers: string[]
}

export async function accountsLike(
  db: Db,
  { name, address }: { name: string; address: string },
  limit: number,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    WITH hosts AS (SELECT uuid FROM servers WHERE ipv4 = ${address} UNION SELECT uuid FROM tunnels WHERE ipv4 = ${address}),
    near AS (
      (SELECT uuid, 1 AS by_name, 0 AS by_host FROM accounts WHERE name = ${name} LIMIT ${limit})
      UNION ALL (SELECT account_uuid, 0, 1 FROM placements WHERE server_uuid IN (SELECT uuid FROM hosts) LIMIT ${limit})
      UNION ALL (SELECT account_uuid, 0, 1 FROM placements WHERE tunnel_uuid IN (SELECT uuid FROM hosts) LIMIT ${limit}))
    SELECT ${accountColumns}, a.uuid, a.secrets,
      ARRAY(SELECT server_uuid FROM account_ways WHERE account_uuid = a.uuid) AS further_servers, CASE WHEN max(by_name) + max(by_host) = 2 THEN 1 ELSE 2 END AS rank
    FROM near JOIN accounts a ON a.uuid = near.uuid JOIN users u ON u.id = a.user_id
    GROUP BY a.uuid, u.email ORDER BY rank LIMIT ${limit}`.execute(db)
  return rows
}
