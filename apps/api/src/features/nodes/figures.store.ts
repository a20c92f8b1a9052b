import type { HostKind } from '@kelid/contract'
import { sql } from 'kysely'
import { type Db, only } from '../../db/database.ts'

export interface NodeStatus {
  agent_version: string | null
  core_version: string | null
  clock_offset_ms: number | null
  up_since: Date | null
  connections: number | null
  load: number | null
  at: Date | null
}

export const saidBy = (db: Db, hostUUID: string): Promise<NodeStatus> =>
  only(
    db,
    sql<NodeStatus>`SELECT h.agent_version, CASE WHEN s.at >= h.at OR h.at IS NULL THEN s.core_version ELSE h.core_version END AS core_version,
        h.clock_offset_ms, s.up_since, s.connections, s.load, greatest(h.at, s.at) AS at
      FROM (SELECT ${hostUUID}::uuid AS uuid) host
      LEFT JOIN node_reports h ON h.host_uuid = host.uuid LEFT JOIN node_states s ON s.host_uuid = host.uuid`,
  )

const columnOf = { server: 'server_uuid', tunnel: 'tunnel_uuid' } as const satisfies Record<HostKind, string>

export const countAccounts = (db: Db, { kind, uuid }: { kind: HostKind; uuid: string }, now: Date) =>
  only(
    db,
    sql<{ active: number; abused: number; all: number }>`
      SELECT count(*) FILTER (WHERE enabled AND NOT abused AND expires_at > ${now}) AS active,
        count(*) FILTER (WHERE abused) AS abused, count(*) AS all
      FROM placements JOIN accounts ON accounts.uuid = account_uuid
      WHERE ${sql.ref(`placements.${columnOf[kind]}`)} = ${uuid}`,
  )

/** A report in progress may write rows of a removed host again. A tunnel's traffic stays when its server is removed. */
export async function deleteRemovedHosts(db: Db): Promise<void> {
  const isRemoved = (column: string) => sql`NOT EXISTS (SELECT FROM servers WHERE uuid = ${sql.ref(column)})
    AND NOT EXISTS (SELECT FROM tunnels WHERE uuid = ${sql.ref(column)})`
  for (const table of [
    'node_reports',
    'node_lists',
    'node_states',
    'node_boots',
    'node_alerts',
    'node_troubles',
  ])
    await sql`DELETE FROM ${sql.table(table)} WHERE ${isRemoved('host_uuid')}`.execute(db)
  for (const table of ['host_usage_days', 'host_usage_totals'])
    await sql`DELETE FROM ${sql.table(table)} WHERE ${isRemoved('exit_uuid')} AND ${isRemoved('entry_uuid')}`.execute(
      db,
    )
}
