import type { HealthReason, HostHealth, HostKind, HostState, TunnelType, VpnType } from '@kelid/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { HealthChangeRow, ProbeRow, Reality, Serving } from '../../db/schema.ts'

export type Probe = Selectable<ProbeRow>
export type HealthChange = Selectable<HealthChangeRow>

export interface Signs {
  kind: HostKind
  uuid: string
  name: string
  state: HostState
  accounts: number
  last_seen_at: Date | null
}

const hosts = sql`(SELECT 'server' AS kind, uuid, name, state, accounts, last_seen_at FROM servers
  UNION ALL SELECT 'tunnel', uuid, name, state, accounts, last_seen_at FROM tunnels) hosts`
const inService = sql`(state = 'ready' OR accounts > 0)`

export const hostsOf = async (db: Db, kind: HostKind): Promise<Signs[]> =>
  (await sql<Signs>`SELECT * FROM ${hosts} WHERE kind = ${kind}`.execute(db)).rows

export const hostsInService = async (db: Db): Promise<Signs[]> =>
  (await sql<Signs>`SELECT * FROM ${hosts} WHERE ${inService}`.execute(db)).rows

export const findSigns = async (db: Db, kind: HostKind, uuid: string): Promise<Signs | undefined> =>
  (await sql<Signs>`SELECT * FROM ${hosts} WHERE kind = ${kind} AND uuid = ${uuid}`.execute(db)).rows[0]

export async function probesOf(db: Db, uuids?: readonly string[]): Promise<Map<string, Probe>> {
  if (uuids?.length === 0) return new Map()
  const probes = db.selectFrom('probes').selectAll()
  const rows = await (uuids ? probes.where('host_uuid', 'in', uuids) : probes).execute()
  return new Map(rows.map((probe) => [probe.host_uuid, probe]))
}

export const reportedCertificate = (db: Db, uuid: string) =>
  db
    .selectFrom('node_reports')
    .select(['certificate_issuer', 'certificate_until'])
    .where('host_uuid', '=', uuid)
    .where('certificate_issuer', 'is not', null)
    .executeTakeFirst()

export interface Place {
  kind: HostKind
  uuid: string
  name: string
  ipv4: string
  port: number
  vpn_type: VpnType | ''
  tunnel_type: TunnelType | ''
  tls_name: string
  reality: Reality | null
  serving: Serving | null
  probe_applied_at: Date | null
}

const places = sql`(
    SELECT 'server' AS kind, uuid, name, ipv4, coalesce((serving ->> 'port')::int, port) AS port, vpn_type, tunnel_type, serving, reality, probe_applied_at,
           coalesce(serving ->> 'name', nullif(details ->> 'serverSNIAddress', ''), split_part(url, '/', 1)) AS tls_name
    FROM servers WHERE ${inService}
    UNION ALL SELECT 'tunnel', uuid, name, ipv4, coalesce(served_port, port), '', type, NULL, NULL, NULL, '' FROM tunnels WHERE ${inService}) places`

export const placesInService = async (db: Db): Promise<Place[]> =>
  (await sql<Place>`SELECT * FROM ${places}`.execute(db)).rows

/** Hosts not probed since `before`, so that two workers do not probe the same host. */
export async function placesToProbe(db: Db, before: Date): Promise<Place[]> {
  const { rows } = await sql<Place>`
    SELECT * FROM ${places}
    WHERE NOT EXISTS (SELECT FROM probes WHERE host_uuid = uuid AND tried_at > ${before})
    ORDER BY uuid`.execute(db)
  return rows
}

const tableOf = { server: sql.table('servers'), tunnel: sql.table('tunnels') } as const

export async function isAt(db: Db, { kind, uuid, ipv4 }: Pick<Place, 'kind' | 'uuid' | 'ipv4'>) {
  const { rows } = await sql`SELECT FROM ${tableOf[kind]}
    WHERE uuid = ${uuid} AND ${inService} AND ipv4 = ${ipv4}`.execute(db)
  return rows.length > 0
}

export async function saveProbe(tx: Db, probe: Insertable<ProbeRow>): Promise<void> {
  await tx
    .insertInto('probes')
    .values(probe)
    .onConflict((conflict) => conflict.column('host_uuid').doUpdateSet(probe))
    .execute()
}

export const lockHealth = (tx: Db, uuid: string): Promise<HealthChange | undefined> =>
  tx
    .selectFrom('health_changes')
    .selectAll()
    .where('host_uuid', '=', uuid)
    .where('until', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export async function writeHealth(
  tx: Db,
  { kind, uuid }: { kind: HostKind; uuid: string },
  now: Date,
  { health, reason, detail }: { health: HostHealth; reason: HealthReason; detail: string },
): Promise<void> {
  await endHealth(tx, uuid, now)
  await tx
    .insertInto('health_changes')
    .values({ host_uuid: uuid, subject: kind, health, reason, detail, since: now, until: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const endHealth = (tx: Db, uuid: string, now: Date) =>
  tx
    .updateTable('health_changes')
    .set({ until: now })
    .where('host_uuid', '=', uuid)
    .where('until', 'is', null)
    .execute()

export const listChanges = (db: Db, uuid: string, limit: number): Promise<HealthChange[]> =>
  db
    .selectFrom('health_changes')
    .selectAll()
    .where('host_uuid', '=', uuid)
    .orderBy('since', 'desc')
    .limit(limit)
    .execute()

export async function countChanges(db: Db, uuid: string): Promise<number> {
  const { count } = await db
    .selectFrom('health_changes')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('host_uuid', '=', uuid)
    .executeTakeFirstOrThrow()
  return count
}

const isRemoved = sql<boolean>`NOT EXISTS (SELECT FROM ${hosts} WHERE uuid = host_uuid)`
const isOutOfService = sql<boolean>`NOT EXISTS (SELECT FROM ${hosts} WHERE uuid = host_uuid AND ${inService})`

export async function tidy(db: Db, now: Date, keptSince: Date): Promise<void> {
  await db.deleteFrom('probes').where(isRemoved).execute()
  await db
    .deleteFrom('health_changes')
    .where((row) => row.or([row('until', '<', keptSince), isRemoved]))
    .execute()
  await db
    .updateTable('health_changes')
    .set({ until: now })
    .where('until', 'is', null)
    .where(isOutOfService)
    .execute()
}
