import type { HostKind, HostState, TunnelType } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { tableOf } from './hosts.store.ts'
import type { PortsOwner } from './ports.ts'

/** Serialises adding and moving hosts. Taken before any row or table of hosts, to avoid deadlocks. */
export async function lockAddresses(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('addresses of hosts', 0))`.execute(tx)
}

export type Service = PortsOwner & {
  readonly uuid: string
  readonly name: string
  readonly service: number
}

/** Servers before tunnels. */
export async function servicesAt(db: Db, ipv4: string): Promise<Service[]> {
  const [servers, tunnels] = [
    await db
      .selectFrom('servers')
      .select(['uuid', 'name', 'service', 'port', 'vpn_type', 'tunnel_type', 'details'])
      .where('ipv4', '=', ipv4)
      .orderBy('service')
      .execute(),
    await db
      .selectFrom('tunnels')
      .select(['uuid', 'name', 'service', 'port'])
      .where('ipv4', '=', ipv4)
      .orderBy('service')
      .execute(),
  ]
  return [
    ...servers.map((row) => ({ kind: 'server' as const, ...row })),
    ...tunnels.map((row) => ({ kind: 'tunnel' as const, ...row })),
  ]
}

export async function setService(tx: Db, kind: HostKind, uuid: string, service: number): Promise<void> {
  await tx.updateTable(tableOf[kind]).set({ service }).where('uuid', '=', uuid).execute()
}

export const otherServersOf = (db: Db, tunnelType: TunnelType, exceptUuid: string) =>
  db
    .selectFrom('servers')
    .select(['name', 'url', 'details', 'serving'])
    .where('tunnel_type', '=', tunnelType)
    .where('uuid', '!=', exceptUuid)
    .execute()

export interface OpenCleaning {
  uuid: string
  subject: HostKind
  subject_uuid: string
  state: 'queued' | 'running'
  last_words: Buffer
  host_state: HostState | null
}

export const openCleanings = async (db: Db, address: string): Promise<OpenCleaning[]> =>
  (
    await sql<OpenCleaning>`
      SELECT run.uuid, run.subject, run.subject_uuid, run.state, run.last_words, coalesce(server.state, tunnel.state) AS host_state
      FROM provision_runs run
      LEFT JOIN servers server ON server.uuid = run.subject_uuid
      LEFT JOIN tunnels tunnel ON tunnel.uuid = run.subject_uuid
      WHERE run.purpose = 'clean' AND run.state IN ('queued', 'running') AND run.last_words IS NOT NULL
        AND run.address = ${address}`.execute(db)
  ).rows
