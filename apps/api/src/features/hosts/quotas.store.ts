import type { HostKind, HostState, QuotaState } from '@kelid/contract'
import { sql } from 'kysely'
import { type Db, first } from '../../db/database.ts'
import { tableOf } from './hosts.store.ts'

export interface QuotaHost {
  kind: HostKind
  uuid: string
  name: string
  ipv4: string
  quota: number
  quota_day: number
  quota_state: QuotaState
}

/** Those that may have to change their state. */
export async function hostsWithQuota(db: Db, ipv4?: string): Promise<QuotaHost[]> {
  const columns = sql`uuid, name, ipv4, quota, quota_day, quota_state`
  const isMeant = sql`(quota > 0 OR quota_state <> '') AND ${ipv4 === undefined ? sql`true` : sql`ipv4 = ${ipv4}`}`
  const { rows } = await sql<QuotaHost>`
    SELECT 'server' AS kind, ${columns} FROM servers WHERE ${isMeant}
    UNION ALL SELECT 'tunnel', ${columns} FROM tunnels WHERE ${isMeant} ORDER BY kind, name, uuid`.execute(db)
  return rows
}

const most = sql`${String(Number.MAX_SAFE_INTEGER)}::bigint`

/** Bytes of the customers of all services at an address since then. Those from a tunnel to a server beside it count once. */
export async function bytesAt(
  db: Db,
  machines: readonly { ipv4: string; from: Date }[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ ipv4: string; bytes: number }>`
    WITH service AS (
      SELECT host.uuid, at.ipv4, (at.since AT TIME ZONE 'UTC')::date AS since
      FROM unnest(${machines.map(({ ipv4 }) => ipv4)}::text[], ${machines.map(({ from }) => from)}::timestamptz[])
        AS at (ipv4, since)
      JOIN (SELECT uuid, ipv4 FROM servers UNION ALL SELECT uuid, ipv4 FROM tunnels) host ON host.ipv4 = at.ipv4
    ), counted AS (
      SELECT service.ipv4, d.up + d.down AS bytes
      FROM service JOIN host_usage_days d ON d.exit_uuid = service.uuid AND d.day >= service.since
      UNION ALL SELECT service.ipv4, d.up + d.down
      FROM service JOIN host_usage_days d ON d.entry_uuid = service.uuid AND d.day >= service.since
      WHERE NOT EXISTS (SELECT FROM service beside WHERE beside.uuid = d.exit_uuid AND beside.ipv4 = service.ipv4)
    )
    SELECT ipv4, least(sum(bytes), ${most}) AS bytes FROM counted GROUP BY ipv4`.execute(db)
  return new Map(rows.map(({ ipv4, bytes }) => [ipv4, bytes]))
}

/** Nothing if an administrator has changed the quota meanwhile. */
export async function changeQuotaState(
  tx: Db,
  { kind, uuid, quota, quota_day }: QuotaHost,
  state: QuotaState,
): Promise<HostState | undefined> {
  const row = await first(
    tx,
    sql<{ state: HostState }>`UPDATE ${sql.table(tableOf[kind])} SET quota_state = ${state}
      WHERE uuid = ${uuid} AND quota = ${quota} AND quota_day = ${quota_day} AND quota_state <> ${state}
      RETURNING state`,
  )
  return row?.state
}
