import { sql } from 'kysely'
import { type Db, first, only } from '../../db/database.ts'

export interface Counter {
  id: string
  up: number
  down: number
}

/** Counters begin at 0 with each start of the core. */
export interface Source {
  hostUUID: string
  bootId: string
}

/** Caps invented numbers, so that every total stays a safe integer. */
const most = sql`${String(Number.MAX_SAFE_INTEGER)}::bigint`

/**
 * Stores the largest counters of each start and adds the growth to the day and the total of the account and its
 * hosts, in one statement. The caller serialises reports of a host.
 */
export async function addCounters(
  tx: Db,
  { hostUUID, bootId }: Source,
  counters: readonly Counter[],
  now: Date,
): Promise<void> {
  await sql`
    WITH said AS (
      SELECT * FROM unnest(${counters.map(({ id }) => id)}::uuid[], ${counters.map(({ up }) => up)}::bigint[],
        ${counters.map(({ down }) => down)}::bigint[]) AS said (account_uuid, up, down)
    ), grown AS (
      SELECT said.account_uuid, said.up AS said_up, said.down AS said_down,
        greatest(said.up - coalesce(known.up, 0), 0) AS up, greatest(said.down - coalesce(known.down, 0), 0) AS down
      FROM said LEFT JOIN usage_counters known ON known.account_uuid = said.account_uuid
        AND known.host_uuid = ${hostUUID} AND known.boot_id = ${bootId}
    ), counted AS (
      INSERT INTO usage_counters AS known (host_uuid, boot_id, account_uuid, up, down, at)
      SELECT ${hostUUID}, ${bootId}, account_uuid, said_up, said_down, ${now} FROM grown WHERE up > 0 OR down > 0
      ON CONFLICT (host_uuid, boot_id, account_uuid) DO UPDATE
        SET up = greatest(known.up, excluded.up), down = greatest(known.down, excluded.down), at = excluded.at
    ), on_the_day AS (
      INSERT INTO usage_days AS known (account_uuid, day, up, down)
      SELECT account_uuid, (${now}::timestamptz AT TIME ZONE 'UTC')::date, up, down FROM grown WHERE up > 0 OR down > 0
      ON CONFLICT (account_uuid, day) DO UPDATE
        SET up = least(known.up + excluded.up, ${most}), down = least(known.down + excluded.down, ${most})
    ), through AS (
      SELECT coalesce(p.tunnel_uuid, ${hostUUID}) AS entry_uuid,
        least(sum(grown.up), ${most}) AS up, least(sum(grown.down), ${most}) AS down
      FROM grown LEFT JOIN placements p ON p.account_uuid = grown.account_uuid AND p.server_uuid = ${hostUUID} WHERE grown.up > 0 OR grown.down > 0 GROUP BY 1
    ), on_the_hosts_day AS (
      INSERT INTO host_usage_days AS known (exit_uuid, entry_uuid, day, up, down)
      SELECT ${hostUUID}, entry_uuid, (${now}::timestamptz AT TIME ZONE 'UTC')::date, up, down FROM through
      ON CONFLICT (exit_uuid, entry_uuid, day) DO UPDATE
        SET up = least(known.up + excluded.up, ${most}), down = least(known.down + excluded.down, ${most})
    ), of_the_hosts AS (
      INSERT INTO host_usage_totals AS known (exit_uuid, entry_uuid, up, down)
      SELECT ${hostUUID}, entry_uuid, up, down FROM through
      ON CONFLICT (exit_uuid, entry_uuid) DO UPDATE
        SET up = least(known.up + excluded.up, ${most}), down = least(known.down + excluded.down, ${most})
    )
    INSERT INTO usage_totals AS known (account_uuid, up, down, last_seen_at)
    SELECT account_uuid, up, down, ${now} FROM grown WHERE up > 0 OR down > 0
    ON CONFLICT (account_uuid) DO UPDATE SET up = least(known.up + excluded.up, ${most}),
      down = least(known.down + excluded.down, ${most}), last_seen_at = excluded.last_seen_at`.execute(tx)
}

export async function noteLastSeen(tx: Db, sightings: readonly { id: string; at: Date }[]): Promise<void> {
  await sql`INSERT INTO usage_totals AS known (account_uuid, last_seen_at)
    SELECT id, at FROM unnest(${sightings.map(({ id }) => id)}::uuid[], ${sightings.map(({ at }) => at)}::timestamptz[]) AS seen (id, at)
    WHERE NOT EXISTS (SELECT FROM usage_totals noted WHERE noted.account_uuid = seen.id AND noted.last_seen_at >= seen.at)
    ON CONFLICT (account_uuid) DO UPDATE SET last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)`.execute(
    tx,
  )
}

export interface Total {
  up: number
  down: number
  last_seen_at: Date | null
}

export const totalOf = (db: Db, accountUUID: string): Promise<Total | undefined> =>
  first(db, sql<Total>`SELECT up, down, last_seen_at FROM usage_totals WHERE account_uuid = ${accountUUID}`)

export async function daysOf(db: Db, accountUUID: string, from: string) {
  const { rows } = await sql<{ day: string; up: number; down: number }>`
    SELECT day::text, up, down FROM usage_days WHERE account_uuid = ${accountUUID} AND day >= ${from}::date`.execute(
    db,
  )
  return rows
}

export interface HostTraffic {
  today_up: number
  today_down: number
  month_up: number
  month_down: number
  total_up: number
  total_down: number
}

/** A tunnel's traffic is what the servers behind it counted for its customers. */
export const trafficOfHost = (
  db: Db,
  hostUUID: string,
  today: string,
  from: string,
): Promise<HostTraffic> => {
  const all = (column: 'up' | 'down') => sql`least(coalesce(sum(${sql.ref(column)}), 0), ${most})`
  const todays = (column: 'up' | 'down') =>
    sql`least(coalesce(sum(${sql.ref(column)}) FILTER (WHERE day = ${today}::date), 0), ${most})`
  return only(
    db,
    sql<HostTraffic>`SELECT * FROM
      (SELECT ${todays('up')} AS today_up, ${todays('down')} AS today_down, ${all('up')} AS month_up, ${all('down')} AS month_down
        FROM host_usage_days WHERE (exit_uuid = ${hostUUID} OR entry_uuid = ${hostUUID}) AND day >= ${from}::date) days,
      (SELECT ${all('up')} AS total_up, ${all('down')} AS total_down
        FROM host_usage_totals WHERE exit_uuid = ${hostUUID} OR entry_uuid = ${hostUUID}) totals`,
  )
}

/** Counters of the running core stay, because it may continue from them. */
export async function forgetUsage(db: Db, daysBefore: Date, countersBefore: Date): Promise<void> {
  for (const table of ['usage_days', 'host_usage_days'])
    await sql`DELETE FROM ${sql.table(table)} WHERE day < (${daysBefore}::timestamptz AT TIME ZONE 'UTC')::date`.execute(
      db,
    )
  await sql`DELETE FROM usage_counters c WHERE at < ${countersBefore} AND NOT EXISTS (
    SELECT FROM node_states s WHERE s.host_uuid = c.host_uuid AND s.boot_id = c.boot_id)`.execute(db)
}
