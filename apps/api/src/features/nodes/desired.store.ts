import type { HostKind } from '@kelid/contract'
import { type Selectable, sql } from 'kysely'
import { type Db, first, only } from '../../db/database.ts'
import type { NodeListRow } from '../../db/schema.ts'

export interface ListedAccount {
  uuid: string
  /** Of the way to this host. */
  position: number
  revision: number
  secrets: Buffer
  is_enabled: boolean
  expires_at: Date
  max_devices: number | null
  speed_limit: number | null
  is_leased: boolean
  starts_by: Date | null
}

interface HostAccounts {
  removed: number
  knowsProbe: boolean
  accounts: ListedAccount[]
}

/** Sorted for equal digests. One statement, hence one snapshot: every removed account is also counted. */
export async function listedOn(
  tx: Db,
  { kind, uuid }: { kind: HostKind; uuid: string },
): Promise<HostAccounts> {
  if (kind === 'tunnel') return { removed: 0, knowsProbe: false, accounts: [] }
  const { rows } = await sql<{ removals: number; knows_probe: boolean } & (ListedAccount | { uuid: null })>`
    SELECT s.removals, s.probe_applied_at IS NOT NULL AS knows_probe, a.uuid, p.position, a.revision, a.secrets,
      a.enabled AND NOT a.abused AND NOT a.exhausted AS is_enabled, a.expires_at, a.max_devices, a.speed_limit, a.starts_by,
      d.account_uuid IS NOT NULL AS is_leased
    FROM servers s LEFT JOIN placements p ON p.server_uuid = s.uuid LEFT JOIN accounts a ON a.uuid = p.account_uuid
      LEFT JOIN data_limits d ON d.account_uuid = a.uuid
    WHERE s.uuid = ${uuid} ORDER BY a.uuid`.execute(tx)
  const [{ removals = 0, knows_probe = false } = {}] = rows
  return { removed: removals, knowsProbe: knows_probe, accounts: rows.filter((row) => row.uuid !== null) }
}

export async function lockList(tx: Db, hostUUID: string): Promise<Selectable<NodeListRow>> {
  const selectLocked = sql<
    Selectable<NodeListRow>
  >`SELECT * FROM node_lists WHERE host_uuid = ${hostUUID} FOR UPDATE`
  const list = await first(tx, selectLocked)
  if (list) return list
  await sql`INSERT INTO node_lists (host_uuid) VALUES (${hostUUID}) ON CONFLICT DO NOTHING`.execute(tx)
  return only(tx, selectLocked)
}

export async function writeList(tx: Db, hostUUID: string, number: number, digest: string): Promise<void> {
  await tx.updateTable('node_lists').set({ number, digest }).where('host_uuid', '=', hostUUID).execute()
}

export interface Cut {
  id: number
  address: string
  port: number
  ports: string | null
  at: Date
}

export const cutsOf = (tx: Db, hostUUID: string, since: Date): Promise<Cut[]> =>
  tx
    .selectFrom('node_cuts')
    .select(['id', 'address', 'port', 'ports', 'at'])
    .where('host_uuid', '=', hostUUID)
    .where('at', '>', since)
    .orderBy('id')
    .execute()

/** Wakes the node, which may be waiting after refusing the list. */
export async function setMayShrink(tx: Db, hostUUID: string, until: Date): Promise<void> {
  await sql`UPDATE node_lists SET may_shrink_until = ${until}, may_shrink_after = held_number
    WHERE host_uuid = ${hostUUID}`.execute(tx)
  await sql`SELECT pg_notify('kelid_nodes', ${hostUUID}::text)`.execute(tx)
}
