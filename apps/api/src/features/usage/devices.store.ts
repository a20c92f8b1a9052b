import { sql } from 'kysely'
import { type Db, only } from '../../db/database.ts'

export interface DeviceSighting {
  id: string
  network: string
  at: Date
}

/** Seconds. A device that was away longer is a new one. */
const absence = 600

export async function noteDevices(
  tx: Db,
  serverUUID: string,
  sightings: readonly DeviceSighting[],
): Promise<void> {
  await sql`INSERT INTO devices AS known (account_uuid, server_uuid, network, first_seen_at, last_seen_at)
    SELECT id, ${serverUUID}::uuid, network, at, at FROM unnest(${sightings.map(({ id }) => id)}::uuid[], ${sightings.map(({ network }) => network)}::text[],
      ${sightings.map(({ at }) => at)}::timestamptz[]) AS seen (id, network, at)
    ON CONFLICT (account_uuid, server_uuid, network) DO UPDATE SET
      first_seen_at = CASE WHEN excluded.last_seen_at > known.last_seen_at + make_interval(secs => ${absence})
        THEN excluded.first_seen_at ELSE known.first_seen_at END,
      last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)`.execute(tx)
}

export async function countNetworks(
  tx: Db,
  serverUUID: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; networks: number }>`
    SELECT account_uuid AS id, count(*) AS networks FROM devices
    WHERE account_uuid = ANY (${[...ids]}::uuid[]) AND server_uuid = ${serverUUID} GROUP BY account_uuid`.execute(
    tx,
  )
  return new Map(rows.map(({ id, networks }) => [id, networks]))
}

/** Without those that are refused. One network at several servers is one device. */
export async function countOnline(db: Db, accountUUID: string, since: Date, now: Date): Promise<number> {
  const { networks } = await only(
    db,
    sql<{ networks: number }>`SELECT count(DISTINCT network) AS networks FROM devices
      WHERE account_uuid = ${accountUUID} AND last_seen_at >= ${since}
        AND (refused_until IS NULL OR refused_until <= ${now})`,
  )
  return networks
}

export const networksOf = (tx: Db, serverUUID: string, ids: readonly string[]) =>
  tx
    .selectFrom('devices')
    .select(['account_uuid', 'network'])
    .where('server_uuid', '=', serverUUID)
    .where('account_uuid', 'in', [...ids])
    .execute()

/** A refused device stays known until its refusal is over. */
export async function forgetAbsentDevices(db: Db, before: Date, ids?: readonly string[]): Promise<void> {
  const absent = db
    .deleteFrom('devices')
    .where('last_seen_at', '<', before)
    .where((row) => row.or([row('refused_until', 'is', null), row('refused_until', '<', before)]))
  await (ids ? absent.where('account_uuid', 'in', [...ids]) : absent).execute()
}

/** Their lists have the refusals. */
export async function wakeServersOf(tx: Db, ids: readonly string[]): Promise<void> {
  await sql`SELECT pg_notify('kelid_nodes', server_uuid::text) FROM placements
    WHERE account_uuid = ANY (${[...ids]}::uuid[])`.execute(tx)
}

/** Starts over: nothing is refused, and no minute counts. The hosts learn it. */
export async function forgetDevicesOf(tx: Db, ids: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('devices')
    .where('account_uuid', 'in', [...ids])
    .execute()
  await tx
    .deleteFrom('crowds')
    .where('account_uuid', 'in', [...ids])
    .execute()
  await sql`UPDATE accounts SET refusal = NULL WHERE uuid = ANY (${[...ids]}::uuid[])`.execute(tx)
  await wakeServersOf(tx, ids)
}

export interface RefusedNetwork {
  account_uuid: string
  network: string
  refused_until: Date
}

export async function refusedOn(tx: Db, serverUUID: string, now: Date): Promise<RefusedNetwork[]> {
  const { rows } = await sql<RefusedNetwork>`
    SELECT account_uuid, network, max(refused_until) AS refused_until FROM devices JOIN placements p USING (account_uuid)
    WHERE refused_until > ${now} AND p.server_uuid = ${serverUUID}
    GROUP BY account_uuid, network ORDER BY account_uuid, network`.execute(tx)
  return rows
}
