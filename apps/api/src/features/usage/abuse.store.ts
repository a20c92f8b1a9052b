import type { HostKind } from '@kelid/contract'
import { sql } from 'kysely'
import { type Db, first, only } from '../../db/database.ts'
import type { RefusedDevices } from '../../db/schema.ts'
import { wakeServersOf } from './devices.store.ts'

export interface Entrance {
  readonly kind: HostKind
  readonly uuid: string
}

export interface MovingDevice {
  account_uuid: string
  server_uuid: string
  allowed: number
  network: string
  first_seen_at: Date
}

const second = 1_000
const minute = 60 * second

/**
 * Devices of accounts above their limit that were connected throughout the minute before `until`, at networks where
 * nobody else was: behind a shared address somebody else may have moved the bytes. A refused device does not count.
 */
export async function movingDevices(
  tx: Db,
  { kind, uuid }: Entrance,
  networks: readonly string[],
  until: Date,
  maxDevices: number,
): Promise<MovingDevice[]> {
  const ago = (ms: number) => new Date(until.getTime() - ms)
  const isHere =
    kind === 'tunnel' ? sql`p.tunnel_uuid = ${uuid}` : sql`p.server_uuid = ${uuid} AND p.tunnel_uuid IS NULL`
  const { rows } = await sql<MovingDevice>`
    WITH moving AS (
      SELECT d.*, p.server_uuid, coalesce(a.max_devices, ${maxDevices}::int) AS allowed,
        a.enabled AND NOT a.abused AS is_open,
        count(*) OVER (PARTITION BY d.network) AS accounts
      FROM devices d JOIN accounts a ON a.uuid = d.account_uuid
        JOIN (SELECT DISTINCT ON (account_uuid) account_uuid, server_uuid FROM placements p WHERE ${isHere}
          ORDER BY account_uuid, position) p ON p.account_uuid = a.uuid
      WHERE d.network = ANY (${[...networks]}::text[]) AND d.last_seen_at >= ${ago(minute + 10 * second)}
    ), alone AS (
      SELECT *, count(*) OVER (PARTITION BY account_uuid) AS devices FROM moving
      WHERE accounts = 1 AND is_open AND last_seen_at >= ${ago(20 * second)}
        AND first_seen_at <= ${ago(45 * second)} AND (refused_until IS NULL OR refused_until <= ${until})
    )
    SELECT account_uuid, server_uuid, allowed, network, first_seen_at FROM alone WHERE devices > allowed
    ORDER BY account_uuid, first_seen_at, network`.execute(tx)
  return rows
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

export async function insertFinding(
  tx: Db,
  act: Act,
  device: Pick<MovingDevice, 'account_uuid' | 'server_uuid' | 'allowed'>,
  entrance: Entrance,
  { at, devices }: Pick<Evidence, 'at' | 'devices'>,
  samples: readonly { at: Date; devices: number }[],
): Promise<void> {
  const { account_uuid, server_uuid: host_uuid, allowed } = device
  const row = { act, account_uuid, host_uuid, entrance_uuid: entrance.uuid, at, devices, allowed }
  await tx
    .insertInto('abuse_findings')
    .values({ ...row, samples: JSON.stringify(samples) })
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

export async function forgetFindings(db: Db, crowdsBefore: Date, findingsBefore: Date): Promise<void> {
  await db.deleteFrom('crowds').where('at', '<', crowdsBefore).execute()
  await db.deleteFrom('abuse_findings').where('at', '<', findingsBefore).execute()
}
