import type { HostKind, TunnelType, VpnType } from '@kelid/contract'
import { type Selectable, sql } from 'kysely'
import { type Db, only } from '../../db/database.ts'
import type { ReplacementRow } from '../../db/schema.ts'
import type { Host } from '../hosts/kinds.ts'
import {
  type Block,
  concernsAccount,
  isBlockedForAccount,
  type Places,
  type Target,
} from '../hosts/places.ts'

export type Replacement = Selectable<ReplacementRow>

export async function insertReplacement(
  tx: Db,
  row: Pick<
    Replacement,
    'uuid' | 'kind' | 'host_uuid' | 'reason' | 'only_blocked' | 'started_by' | 'started_at'
  >,
): Promise<boolean> {
  const result = await tx
    .insertInto('replacements')
    .values({ ...row, finished_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const latestOf = (
  db: Db,
  hostUUID: string,
  { onlyBlocked }: { onlyBlocked: boolean },
): Promise<Replacement | undefined> =>
  db
    .selectFrom('replacements')
    .selectAll()
    .where('host_uuid', '=', hostUUID)
    .where('only_blocked', '=', onlyBlocked)
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
  target_country: string
  target_operator: string
}

const columnOf = { server: 'server_uuid', tunnel: 'tunnel_uuid' } as const satisfies Record<HostKind, string>
const leadsThrough = ({ kind, uuid }: Host) => sql`${sql.ref(`p.${columnOf[kind]}`)} = ${uuid}`

export type Which = Pick<Replacement, 'only_blocked'>

const isConcerned = ({ uuid }: Host, { only_blocked }: Which) =>
  only_blocked ? isBlockedForAccount(sql`${uuid}::uuid`, 'a') : sql`true`

/** Locks the accounts of some ways through the host, in no lasting order: those without a place must not hold up the others. */
export async function lockWays(tx: Db, host: Host, which: Which, limit: number): Promise<ReplacedWay[]> {
  const { rows } = await sql<ReplacedWay>`
    WITH chosen AS (
      SELECT a.uuid FROM accounts a WHERE a.uuid IN (SELECT account_uuid FROM placements p WHERE ${leadsThrough(host)})
        AND ${isConcerned(host, which)}
      ORDER BY random() LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    SELECT p.account_uuid, a.user_id, p.position, p.vpn_type, p.tunnel_type, p.server_uuid, p.tunnel_uuid, s.country_id,
      a.target_country, a.target_operator
    FROM chosen JOIN accounts a ON a.uuid = chosen.uuid JOIN placements p ON p.account_uuid = a.uuid
      JOIN servers s ON s.uuid = p.server_uuid
    WHERE ${leadsThrough(host)} ORDER BY p.account_uuid, p.position`.execute(tx)
  return rows
}

const waysThrough = (host: Host) =>
  sql`placements p JOIN accounts a ON a.uuid = p.account_uuid WHERE ${leadsThrough(host)}`

export const countWays = async (
  db: Db,
  host: Host,
  which: Which = { only_blocked: false },
): Promise<{ ways: number; unstated: number }> => ({
  ...(await only(
    db,
    sql<{ ways: number }>`SELECT count(*) AS ways FROM ${waysThrough(host)} AND ${isConcerned(host, which)}`,
  )),
  unstated: 0,
})

/** Ways that a block would concern, and further ones that do not state what it names. */
export const countConcerned = (
  db: Db,
  host: Host,
  block: Block,
): Promise<{ ways: number; unstated: number }> => {
  const isMeant = concernsAccount({ ...block, alsoUnstated: false }, 'a')
  return only(
    db,
    sql<{
      ways: number
      unstated: number
    }>`SELECT count(*) FILTER (WHERE ${block.alsoUnstated}::boolean OR ${isMeant}) AS ways,
        count(*) FILTER (WHERE NOT ${isMeant}) AS unstated
      FROM ${waysThrough(host)} AND ${concernsAccount({ ...block, alsoUnstated: true }, 'a')}`,
  )
}

const shownTargets = 20

export const targetsOf = async (db: Db, host: Host) =>
  (
    await sql<Target & { ways: number }>`
      SELECT min(a.target_country) AS country, min(a.target_operator) AS operator, count(*) AS ways
      FROM ${waysThrough(host)} AND (a.target_country <> '' OR a.target_operator <> '')
      GROUP BY lower(a.target_country), lower(a.target_operator) ORDER BY ways DESC, 1, 2 LIMIT ${shownTargets}`.execute(
      db,
    )
  ).rows

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

export interface DownHost extends Host {
  name: string
  accounts: number
  since: Date
  /** Of all hosts in service, how many are down. */
  share: number
}

/** Servers and tunnels with accounts that have been down since then, the oldest first. */
export async function downSince(db: Db, since: Date): Promise<DownHost[]> {
  const { rows } = await sql<DownHost>`
    WITH hosts AS (
      SELECT 'server' AS kind, uuid, name, accounts FROM servers WHERE state = 'ready' OR accounts > 0
      UNION ALL SELECT 'tunnel', uuid, name, accounts FROM tunnels WHERE state = 'ready' OR accounts > 0
    ), down AS (
      SELECT hosts.*, h.since FROM hosts JOIN health_changes h ON h.host_uuid = hosts.uuid
      WHERE h.until IS NULL AND h.health = 'down'
    )
    SELECT kind, uuid, name, accounts, since,
      (SELECT count(*) FROM down)::float8 / (SELECT count(*) FROM hosts) AS share
    FROM down WHERE since <= ${since} AND accounts > 0 ORDER BY since, uuid`.execute(db)
  return rows
}

export const namesOf = async (db: Db, uuids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await sql<{ uuid: string; name: string }>`
    SELECT uuid, name FROM servers WHERE uuid = ANY (${[...uuids]}::uuid[])
    UNION ALL SELECT uuid, name FROM tunnels WHERE uuid = ANY (${[...uuids]}::uuid[])`.execute(db)
  return new Map(rows.map(({ uuid, name }) => [uuid, name]))
}
