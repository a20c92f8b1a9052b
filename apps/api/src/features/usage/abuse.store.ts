import { sql } from 'kysely'
import { type Db, first, only } from '../../db/database.ts'

export interface DeviceSighting {
  id: string
  network: string
  at: Date
}

/** Seconds. A longer pause starts a new use, as when a phone returns to a network. */
const pause = 15

export async function noteDevices(tx: Db, sightings: readonly DeviceSighting[]): Promise<void> {
  await sql`INSERT INTO devices AS known (account_uuid, network, first_seen_at, last_seen_at)
    SELECT id, network, at, at FROM unnest(${sightings.map(({ id }) => id)}::uuid[], ${sightings.map(({ network }) => network)}::text[],
      ${sightings.map(({ at }) => at)}::timestamptz[]) AS seen (id, network, at)
    ON CONFLICT (account_uuid, network) DO UPDATE SET
      first_seen_at = CASE WHEN excluded.last_seen_at > known.last_seen_at + make_interval(secs => ${pause})
        THEN excluded.first_seen_at ELSE known.first_seen_at END,
      last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)`.execute(tx)
}

export interface DeviceInUse {
  account_uuid: string
  first_seen_at: Date
  last_seen_at: Date
}

export async function devicesAboveLimit(
  tx: Db,
  ids: readonly string[],
  since: Date,
  allowed: number,
): Promise<DeviceInUse[]> {
  const { rows } = await sql<DeviceInUse>`
    SELECT d.account_uuid, first_seen_at, last_seen_at FROM devices d
    JOIN accounts a ON a.uuid = d.account_uuid AND a.enabled AND NOT a.abused
    JOIN (SELECT account_uuid FROM devices WHERE account_uuid = ANY (${[...ids]}::uuid[]) AND last_seen_at >= ${since}
      GROUP BY account_uuid HAVING count(*) > ${allowed}) crowded ON crowded.account_uuid = d.account_uuid
    WHERE last_seen_at >= ${since} ORDER BY d.account_uuid`.execute(tx)
  return rows
}

export interface Sample {
  at: Date
  devices: number
}

/** A repeated report of one moment is one sample. */
export async function addSample(tx: Db, id: string, { at, devices }: Sample, apart: number): Promise<void> {
  await sql`INSERT INTO crowds (account_uuid, at, devices) SELECT ${id}, ${at}, ${devices}
    WHERE NOT EXISTS (SELECT FROM crowds WHERE account_uuid = ${id} AND at > ${new Date(at.getTime() - apart)})`.execute(
    tx,
  )
}

export const crowdsOf = (tx: Db, id: string, since: Date): Promise<Sample[]> =>
  tx
    .selectFrom('crowds')
    .select(['at', 'devices'])
    .where('account_uuid', '=', id)
    .where('at', '>=', since)
    .orderBy('at')
    .execute()

export interface StoppedAccount {
  user_id: number
  name: string
  email: string
}

export const stopAccount = (
  tx: Db,
  id: string,
  { at, devices }: Sample,
): Promise<StoppedAccount | undefined> =>
  first(
    tx,
    sql<StoppedAccount>`
      UPDATE accounts SET abused = true, enabled = false, abuse_devices = ${devices}, abuse_seen_at = ${at}
      WHERE uuid = ${id} AND enabled AND NOT abused
      RETURNING user_id, name, (SELECT email FROM users WHERE id = user_id) AS email`,
  )

export async function insertFinding(
  tx: Db,
  host_uuid: string,
  account_uuid: string,
  { at, devices }: Sample,
  allowed: number,
  samples: readonly Sample[],
): Promise<void> {
  const row = { host_uuid, account_uuid, at, devices, allowed, samples: JSON.stringify(samples) }
  await tx.insertInto('abuse_findings').values(row).execute()
}

export const countStops = (tx: Db, hostUUID: string, since: Date, sinceDay: Date) =>
  only(
    tx,
    sql<{ accounts: number; recent: number; today: number }>`
      SELECT (SELECT count(*) FROM accounts WHERE server_uuid = ${hostUUID}) AS accounts,
        count(*) FILTER (WHERE at > ${since}) AS recent, count(*) AS today
      FROM abuse_findings WHERE host_uuid = ${hostUUID} AND at > ${sinceDay}`,
  )

export async function countNetworks(tx: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; networks: number }>`
    SELECT account_uuid AS id, count(*) AS networks FROM devices WHERE account_uuid = ANY (${[...ids]}::uuid[])
    GROUP BY account_uuid`.execute(tx)
  return new Map(rows.map(({ id, networks }) => [id, networks]))
}

export const networksOf = (tx: Db, ids: readonly string[]) =>
  tx
    .selectFrom('devices')
    .select(['account_uuid', 'network'])
    .where('account_uuid', 'in', [...ids])
    .execute()

export async function forgetDevicesOf(tx: Db, ids: readonly string[], before?: Date): Promise<void> {
  const devices = tx.deleteFrom('devices').where('account_uuid', 'in', [...ids])
  const crowds = tx.deleteFrom('crowds').where('account_uuid', 'in', [...ids])
  await (before ? devices.where('last_seen_at', '<', before) : devices).execute()
  await (before ? crowds.where('at', '<', before) : crowds).execute()
}

export async function forgetDevices(db: Db, before: Date, findingsBefore: Date): Promise<void> {
  await db.deleteFrom('devices').where('last_seen_at', '<', before).execute()
  await db.deleteFrom('crowds').where('at', '<', before).execute()
  await db.deleteFrom('abuse_findings').where('at', '<', findingsBefore).execute()
}
