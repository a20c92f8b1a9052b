import type { HostKind, TunnelType, VpnType } from '@kelid/contract'
import { type Selectable, sql } from 'kysely'
import { type Db, only } from '../../db/database.ts'
import type { ReplacementRow } from '../../db/schema.ts'
import type { Host } from '../hosts/kinds.ts'
import type { Places } from '../hosts/places.ts'

export type Replacement = Selectable<ReplacementRow>

export async function insertReplacement(
  tx: Db,
  row: Pick<Replacement, 'uuid' | 'kind' | 'host_uuid' | 'reason' | 'started_by' | 'started_at'>,
): Promise<boolean> {
  const result = await tx
    .insertInto('replacements')
    .values({ ...row, finished_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const latestOf = (db: Db, hostUUID: string): Promise<Replacement | undefined> =>
  db
    .selectFrom('replacements')
    .selectAll()
    .where('host_uuid', '=', hostUUID)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()

export const openReplacements = (db: Db): Promise<Replacement[]> =>
  db
    .selectFrom('replacements')
    .selectAll()
    .where('finished_at', 'is', null)
    .orderBy('started_at')
    .orderBy('uuid')
    .execute()

/** undefined if it has finished meanwhile. */
export const lockOpen = (tx: Db, uuid: string): Promise<Replacement | undefined> =>
  tx
    .selectFrom('replacements')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('finished_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export async function noteProgress(
  tx: Db,
  uuid: string,
  change: { moved: number; stuck: number; finished_at: Date | null },
): Promise<void> {
  await tx.updateTable('replacements').set(change).where('uuid', '=', uuid).execute()
}

export interface ReplacedWay extends Places {
  account_uuid: string
  user_id: number
  position: number
  vpn_type: VpnType
  tunnel_type: TunnelType | ''
  country_id: number
}

const columnOf = { server: 'server_uuid', tunnel: 'tunnel_uuid' } as const satisfies Record<HostKind, string>
const leadsThrough = ({ kind, uuid }: Host) => sql`${sql.ref(`p.${columnOf[kind]}`)} = ${uuid}`

/** Locks the accounts of some ways through the host, in no lasting order: those without a place must not hold up the others. */
export async function lockWays(tx: Db, host: Host, limit: number): Promise<ReplacedWay[]> {
  const { rows } = await sql<ReplacedWay>`
    WITH chosen AS (
      SELECT a.uuid FROM accounts a WHERE a.uuid IN (SELECT account_uuid FROM placements p WHERE ${leadsThrough(host)})
      ORDER BY random() LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    SELECT p.account_uuid, a.user_id, p.position, p.vpn_type, p.tunnel_type, p.server_uuid, p.tunnel_uuid, s.country_id
    FROM chosen JOIN accounts a ON a.uuid = chosen.uuid JOIN placements p ON p.account_uuid = a.uuid
      JOIN servers s ON s.uuid = p.server_uuid
    WHERE ${leadsThrough(host)} ORDER BY p.account_uuid, p.position`.execute(tx)
  return rows
}

export const countWays = async (db: Db, host: Host): Promise<number> =>
  (
    await only(
      db,
      sql<{ ways: number }>`SELECT count(*) AS ways FROM placements p WHERE ${leadsThrough(host)}`,
    )
  ).ways

export async function moveWay(
  tx: Db,
  { account_uuid: uuid, position }: ReplacedWay,
  places: Places,
): Promise<void> {
  if (position === 1) await tx.updateTable('accounts').set(places).where('uuid', '=', uuid).execute()
  else
    await sql`UPDATE account_ways SET server_uuid = ${places.server_uuid}, tunnel_uuid = ${places.tunnel_uuid},
        applied_revision = CASE WHEN server_uuid = ${places.server_uuid} THEN applied_revision END
      WHERE account_uuid = ${uuid} AND position = ${position}`.execute(tx)
}

export const isDown = async (db: Db, hostUUID: string): Promise<boolean> =>
  (await db
    .selectFrom('health_changes')
    .select('host_uuid')
    .where('host_uuid', '=', hostUUID)
    .where('until', 'is', null)
    .where('health', '=', 'down')
    .executeTakeFirst()) !== undefined

/** Servers and tunnels that have been down since then, and the share of all in service that is down. */
export async function downSince(db: Db, since: Date) {
  const { rows } = await sql<{ kind: HostKind; uuid: string; name: string; share: number }>`
    WITH hosts AS (
      SELECT 'server' AS kind, uuid, name, accounts FROM servers WHERE state = 'ready' OR accounts > 0
      UNION ALL SELECT 'tunnel', uuid, name, accounts FROM tunnels WHERE state = 'ready' OR accounts > 0
    ), down AS (
      SELECT hosts.*, h.since FROM hosts JOIN health_changes h ON h.host_uuid = hosts.uuid
      WHERE h.until IS NULL AND h.health = 'down'
    )
    SELECT kind, uuid, name, (SELECT count(*) FROM down)::float8 / (SELECT count(*) FROM hosts) AS share
    FROM down WHERE since <= ${since} AND accounts > 0 ORDER BY since, uuid`.execute(db)
  return rows
}
