import type { AccountApplied, HostHealth, TunnelType, VpnType } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isBlockedForAccount, type PlacedWay, type Places } from '../hosts/places.ts'
import { type WayColumns, wayColumns, wayTables } from './accounts.store.ts'

export async function insertFurtherWays(
  tx: Db,
  accountUUID: string,
  ways: readonly PlacedWay[],
): Promise<void> {
  if (ways.length === 0) return
  const rows = ways.map(({ vpnType, tunnelType, places }, index) => ({
    ...{ account_uuid: accountUUID, position: index + 2, vpn_type: vpnType, tunnel_type: tunnelType },
    ...places,
    applied_revision: null,
  }))
  await tx.insertInto('account_ways').values(rows).execute()
}

/** Further ways by account in their order, those that were chosen at the purchase first. */
export async function findFurtherTypes(
  db: Db,
  accountUUIDs: readonly string[],
): Promise<ReadonlyMap<string, { vpnType: VpnType; tunnelType: TunnelType | '' }[]>> {
  if (accountUUIDs.length === 0) return new Map()
  const rows = await db
    .selectFrom('account_ways')
    .select(['account_uuid', 'vpn_type as vpnType', 'tunnel_type as tunnelType'])
    .where('account_uuid', '=', sql<string>`ANY (${[...accountUUIDs]}::uuid[])`)
    .orderBy('position')
    .execute()
  const byAccount = new Map<string, { vpnType: VpnType; tunnelType: TunnelType | '' }[]>()
  for (const { account_uuid, ...way } of rows) {
    const ways = byAccount.get(account_uuid)
    if (ways) ways.push(way)
    else byAccount.set(account_uuid, [way])
  }
  return byAccount
}

/** The places that all ways of these accounts take. Call it while the accounts are locked. */
export const placesOf = (tx: Db, accountUUIDs: readonly string[]): Promise<Places[]> =>
  tx
    .selectFrom('placements')
    .select(['server_uuid', 'tunnel_uuid'])
    .where('account_uuid', '=', sql<string>`ANY (${[...accountUUIDs]}::uuid[])`)
    .execute()

/** Ends a further way to this server, if the account has one. */
export const deleteWayTo = (tx: Db, accountUUID: string, serverUUID: string): Promise<Places[]> =>
  tx
    .deleteFrom('account_ways')
    .where('account_uuid', '=', accountUUID)
    .where('server_uuid', '=', serverUUID)
    .returning(['server_uuid', 'tunnel_uuid'])
    .execute()

export interface WayRecord extends WayColumns {
  account_uuid: string
  position: number
  vpn_type: VpnType
  tunnel_type: TunnelType | ''
  server_uuid: string
  health: HostHealth
  /** For customers where the account says that it is used. */
  is_blocked: boolean
  way_applied: AccountApplied
  last_seen_at: Date | null
  server_name: string
  tunnel_uuid: string | null
  tunnel_name: string | null
}

/** Down with one of its hosts, up with all of them. */
const health = sql`(SELECT CASE WHEN bool_or(h.health = 'down') THEN 'down'
    WHEN count(*) FILTER (WHERE h.health = 'up') = num_nonnulls(a.server_uuid, a.tunnel_uuid) THEN 'up' ELSE 'unknown' END
  FROM health_changes h WHERE h.host_uuid IN (a.server_uuid, a.tunnel_uuid) AND h.until IS NULL)`

const isBlocked = sql`(${isBlockedForAccount(sql`a.server_uuid`, 'owned')}
  OR ${isBlockedForAccount(sql`a.tunnel_uuid`, 'owned')})`

/** How much of what the account states its server is meant for. */
const targetMatches = sql`(
  (lower(s.details ->> 'serverTargetCountry') = lower(nullif(owned.target_country, ''))) IS TRUE)::int
  + ((lower(s.details ->> 'serverTargetOperator') = lower(nullif(owned.target_operator, ''))) IS TRUE)::int`

const lastSeen = sql`(SELECT max(at) FROM usage_counters u
  WHERE u.account_uuid = a.account_uuid AND u.host_uuid = a.server_uuid)`

/**
 * The ways of an account in the order of preference: those that work come first, then those that are not blocked where
 * the customer is, then those that are meant for there.
 */
export const waysOf = async (db: Db, accountUUID: string): Promise<WayRecord[]> =>
  (
    await sql<WayRecord>`SELECT a.account_uuid, a.position, a.vpn_type, a.tunnel_type, a.server_uuid, a.tunnel_uuid,
        s.name AS server_name, t.name AS tunnel_name, ${health} AS health, ${isBlocked} AS is_blocked,
        CASE WHEN s.reporting_since IS NULL THEN 'unreported'
          WHEN a.applied_revision >= owned.revision THEN 'applied' ELSE 'waiting' END AS way_applied,
        ${lastSeen} AS last_seen_at, ${wayColumns}
      FROM placements a JOIN accounts owned ON owned.uuid = a.account_uuid ${wayTables}
      WHERE a.account_uuid = ${accountUUID}
      ORDER BY ${health} = 'down', is_blocked, ${targetMatches} DESC, a.position`.execute(db)
  ).rows
