import type { HostState, TunnelType } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Serialises adding and moving hosts. Taken before any row or table of hosts, to avoid deadlocks. */
export async function lockAddresses(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('addresses of hosts', 0))`.execute(tx)
}

export const hostsAt = (db: Db, ipv4: string): Promise<{ uuid: string; name: string }[]> =>
  db
    .selectFrom('servers')
    .select(['uuid', 'name'])
    .where('ipv4', '=', ipv4)
    .unionAll(db.selectFrom('tunnels').select(['uuid', 'name']).where('ipv4', '=', ipv4))
    .execute()

export const otherServersOf = (db: Db, tunnelType: TunnelType, exceptUuid: string) =>
  db
    .selectFrom('servers')
    .select(['name', 'url', 'details', 'serving'])
    .where('tunnel_type', '=', tunnelType)
    .where('uuid', '!=', exceptUuid)
    .execute()

export interface OpenCleaning {
  uuid: string
  subject_uuid: string
  state: 'queued' | 'running'
  last_words: Buffer
  host_state: HostState | null
}

export const openCleanings = async (db: Db, exceptUuid: string): Promise<OpenCleaning[]> =>
  (
    await sql<OpenCleaning>`
      SELECT run.uuid, run.subject_uuid, run.state, run.last_words, coalesce(server.state, tunnel.state) AS host_state
      FROM provision_runs run
      LEFT JOIN servers server ON server.uuid = run.subject_uuid
      LEFT JOIN tunnels tunnel ON tunnel.uuid = run.subject_uuid
      WHERE run.purpose = 'clean' AND run.state IN ('queued', 'running') AND run.last_words IS NOT NULL
        AND run.subject_uuid <> ${exceptUuid}`.execute(db)
  ).rows
