import type { HostHealth, TunnelType, VpnType } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { PlacedWay, Places } from '../hosts/places.ts'
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
  last_seen_at: Date | null
}

/** Down with one of its hosts, up with all of them. */
const health = sql`(SELECT CASE WHEN bool_or(h.health = 'down') THEN 'down'
    WHEN count(*) FILTER (WHERE h.health = 'up') = num_nonnulls(a.server_uuid, a.tunnel_uuid) THEN 'up' ELSE 'unknown' END
  FROM health_changes h WHERE h.host_uuid IN (a.server_uuid, a.tunnel_uuid) AND h.until IS NULL)`

const lastSeen = sql`(SELECT max(at) FROM usage_counters u
  WHERE u.account_uuid = a.account_uuid AND u.host_uuid = a.server_uuid)`

/** The ways of an account in the order of preference: those that work come first. */
export const waysOf = async (db: Db, accountUUID: string): Promise<WayRecord[]> =>
  (
    await sql<WayRecord>`SELECT a.account_uuid, a.position, a.vpn_type, a.tunnel_type, a.server_uuid, ${health} AS health, ${lastSeen} AS last_seen_at,
        ${wayColumns} FROM placements a ${wayTables} WHERE a.account_uuid = ${accountUUID}
      ORDER BY ${health} = 'down', a.position`.execute(db)
  ).rows
