import type { HostKind } from '@kelid/contract'
import { sql } from 'kysely'
import { type Db, first, only } from '../../db/database.ts'
import type { RefusedDevices } from '../../db/schema.ts'
import { wakeServersOf } from './devices.store.ts'

export interface Entrance {
  readonly kind: HostKind
  readonly uuid: string
}

export interface Candidate {
  uuid: string
  allowed: number
}

const second = 1_000
const minute = 60 * second
/** The end of the minute that is judged may be this old: hosts report a minute each, and not at one time. */
export const waitMax = 100 * second
const keptFor = waitMax + minute + 10 * second

const ago = (now: Date, ms: number) => new Date(now.getTime() - ms)

/** Where customers of a way come in. */
const entranceOf = (way: string) =>
  sql`coalesce(${sql.ref(`${way}.tunnel_uuid`)}, ${sql.ref(`${way}.server_uuid`)})`

const toColumns = (slices: ReadonlyMap<string, number>) =>
  sql`unnest(${[...slices.keys()]}::text[], ${[...slices.values()]}::int[]) AS moved (network, slices)`

/** Keeps what other hosts need to judge the same minutes: only accounts with several ways have other hosts. */
export async function noteMovements(
  tx: Db,
  { uuid }: Entrance,
  slices: ReadonlyMap<string, number>,
  until: Date,
): Promise<void> {
  await tx
    .deleteFrom('movements')
    .where('host_uuid', '=', uuid)
    .where('until', '<', ago(until, keptFor))
    .execute()
  await sql`INSERT INTO movements (host_uuid, network, until, slices)
    SELECT ${uuid}, network, ${until}, slices FROM ${toColumns(slices)}
    WHERE EXISTS (SELECT FROM devices d JOIN account_ways USING (account_uuid) WHERE d.network = moved.network)
    ON CONFLICT DO NOTHING`.execute(tx)
}

/**
 * Locks the open accounts that come in here, moved bytes here in the last minute and are connected from more networks
 * than they may.
 */
export async function lockCandidates(
  tx: Db,
  { kind, uuid }: Entrance,
  networks: readonly string[],
  until: Date,
  maxDevices: number,
): Promise<Candidate[]> {
  const isHere =
    kind === 'tunnel' ? sql`p.tunnel_uuid = ${uuid}` : sql`p.server_uuid = ${uuid} AND p.tunnel_uuid IS NULL`
  const since = ago(until, waitMax + 20 * second)
  const { rows } = await sql<Candidate>`
    SELECT a.uuid, coalesce(a.max_devices, ${maxDevices}::int) AS allowed FROM accounts a
    WHERE a.enabled AND NOT a.abused AND a.uuid IN (
        SELECT d.account_uuid FROM devices d JOIN placements p USING (account_uuid, server_uuid)
        WHERE d.network = ANY (${[...networks]}::text[]) AND d.last_seen_at >= ${since} AND ${isHere})
      AND coalesce(a.max_devices, ${maxDevices}::int) < (SELECT count(DISTINCT d.network) FROM devices d
        WHERE d.account_uuid = a.uuid AND d.last_seen_at >= ${since})
    ORDER BY a.uuid FOR NO KEY UPDATE OF a`.execute(tx)
  return rows
}

/** That a device which a server reported moved bytes at the host where customers of that server come in. */
export interface Movement {
  account_uuid: string
  server_uuid: string
  entrance_uuid: string
  network: string
  first_seen_at: Date
  last_seen_at: Date
  until: Date
  slices: number
}

/**
 * What all hosts have reported about these accounts lately, without networks where another account came in too: behind a
 * shared address somebody else may have moved the bytes. A refused device does not count.
 */
export async function movementsOf(
  tx: Db,
  ids: readonly string[],
  { uuid }: Entrance,
  slices: ReadonlyMap<string, number>,
  until: Date,
): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    WITH reported AS (
      SELECT host_uuid, network, until, slices FROM movements
      WHERE network IN (SELECT network FROM devices WHERE account_uuid = ANY (${[...ids]}::uuid[]))
      UNION SELECT ${uuid}::uuid, network, ${until}::timestamptz, slices FROM ${toColumns(slices)}
    )
    SELECT d.account_uuid, d.server_uuid, m.host_uuid AS entrance_uuid, d.network, d.first_seen_at, d.last_seen_at,
      m.until, m.slices
    FROM devices d JOIN placements p USING (account_uuid, server_uuid)
      JOIN reported m ON m.network = d.network AND m.host_uuid = ${entranceOf('p')}
    WHERE d.account_uuid = ANY (${[...ids]}::uuid[]) AND m.until >= ${ago(until, keptFor)}
      AND NOT EXISTS (SELECT FROM devices refused WHERE refused.account_uuid = d.account_uuid
        AND refused.network = d.network AND refused.refused_until > ${until})
      AND NOT EXISTS (SELECT FROM devices o JOIN placements op USING (account_uuid, server_uuid)
        WHERE o.network = d.network AND o.account_uuid <> d.account_uuid AND ${entranceOf('op')} = m.host_uuid
          AND o.last_seen_at >= m.until - make_interval(secs => 70))
    ORDER BY d.account_uuid`.execute(tx)
  return rows
}

/** The limits of hosts are looked at and used up by one transaction at a time. Take it after the accounts. */
export async function lockFindings(tx: Db): Promise<void> {
  await sql`LOCK TABLE abuse_findings IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
}

/** A repeated report of one minute is one minute. Returns whether it is new. */
export async function addCrowd(tx: Db, id: string, at: Date, devices: number): Promise<boolean> {
  const { numAffectedRows } = await sql`INSERT INTO crowds (account_uuid, at, devices)
    SELECT ${id}, ${at}, ${devices} WHERE NOT EXISTS (SELECT FROM crowds WHERE account_uuid = ${id}
      AND at > ${new Date(at.getTime() - 55 * second)})`.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

export const crowdsOf = (tx: Db, id: string, since: Date) =>
  tx
    .selectFrom('crowds')
    .select(['at', 'devices'])
    .where('account_uuid', '=', id)
    .where('at', '>', since)
    .orderBy('at')
    .execute()

export interface AccountActedOn {
  user_id: number
  name: string
  email: string
}

const actedOnColumns = sql`user_id, name, (SELECT email FROM users WHERE id = user_id) AS email`

/** Wakes the server, whose list has the refusals. */
export async function refuseDevices(
  tx: Db,
  id: string,
  networks: readonly string[],
  refusal: RefusedDevices,
): Promise<AccountActedOn | undefined> {
  const account = await first(
    tx,
    sql<AccountActedOn>`UPDATE accounts SET refusal = ${JSON.stringify(refusal)}::jsonb
      WHERE uuid = ${id} AND NOT abused RETURNING ${actedOnColumns}`,
  )
  await sql`UPDATE devices SET refused_until = ${refusal.untilDate}::timestamptz
    WHERE account_uuid = ${id} AND network = ANY (${[...networks]}::text[])`.execute(tx)
  await wakeServersOf(tx, [id])
  return account
}

export interface Evidence {
  at: Date
  devices: number
  since: Date
  minutes: number
}

export const stopAccount = (
  tx: Db,
  id: string,
  { at, devices, since, minutes }: Evidence,
): Promise<AccountActedOn | undefined> =>
  first(
    tx,
    sql<AccountActedOn>`
      UPDATE accounts SET abused = true, enabled = false, abuse_devices = ${devices}, abuse_seen_at = ${at},
        abuse_since = ${since}, abuse_minutes = ${minutes}, refusal = NULL
      WHERE uuid = ${id} AND enabled AND NOT abused RETURNING ${actedOnColumns}`,
  )

export type Act = 'refuse' | 'stop'

/** A server that reported devices, and the host where these came in. */
export interface Witness {
  server_uuid: string
  entrance_uuid: string
}

export async function insertFinding(
  tx: Db,
  act: Act,
  { uuid: account_uuid, allowed }: Candidate,
  witnesses: readonly Witness[],
  { at, devices }: Pick<Evidence, 'at' | 'devices'>,
  samples: readonly { at: Date; devices: number }[],
): Promise<void> {
  const row = { act, account_uuid, at, devices, allowed, samples: JSON.stringify(samples) }
  await tx
    .insertInto('abuse_findings')
    .values(
      witnesses.map(({ server_uuid: host_uuid, entrance_uuid }) => ({ ...row, host_uuid, entrance_uuid })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const countAccounts = async (tx: Db, hostUUID: string): Promise<number> =>
  (
    await only(
      tx,
      sql<{ accounts: number }>`
        SELECT count(*) AS accounts FROM placements WHERE server_uuid = ${hostUUID} OR tunnel_uuid = ${hostUUID}`,
    )
  ).accounts

/** The first time for each account. */
export async function actedOn(tx: Db, hostUUID: string, act: Act, since: Date) {
  const { rows } = await sql<{ account_uuid: string; at: Date }>`
    SELECT account_uuid, min(at) AS at FROM abuse_findings
    WHERE act = ${act} AND at > ${since} AND (host_uuid = ${hostUUID} OR entrance_uuid = ${hostUUID}) GROUP BY account_uuid`.execute(
    tx,
  )
  return rows
}

export async function forgetMovements(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('movements').where('until', '<', ago(now, keptFor)).execute()
}

export async function forgetFindings(db: Db, crowdsBefore: Date, findingsBefore: Date): Promise<void> {
  await db.deleteFrom('crowds').where('at', '<', crowdsBefore).execute()
  await db.deleteFrom('abuse_findings').where('at', '<', findingsBefore).execute()
}
