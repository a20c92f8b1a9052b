import type { ProbeOutcome } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Serving } from '../../db/schema.ts'

export interface KnownExit {
  readonly uuid: string
  readonly known: Serving
}

/** A single lost packet is no outage; this many failures in a row are. */
const failuresForDown = 3

/** Where nothing can be probed, the runs alone decide. */
const isProven = sql`(w.outcome IN ('OFF', 'NO_CORE', 'FORBIDDEN')
  OR (w.answered_at IS NOT NULL AND w.failures < ${sql.lit(failuresForDown)}))`

const hasWay = (entry: string) => sql<boolean>`EXISTS (SELECT FROM ways w WHERE w.exit_uuid = servers.uuid
  AND w.entry_uuid = ${sql.ref(entry)} AND w.known = servers.serving AND ${isProven})`

const acceptsKey = sql`(tunnels.type <> 'ssh' OR EXISTS (SELECT FROM ways w WHERE w.exit_uuid = servers.uuid
  AND w.entry_uuid = tunnels.uuid AND w.relay_key = tunnels.relay_public_key))`

/** Customers get through: both ends know each other as they are now, and a probe came out at the far end. */
export const leadsThrough = sql<boolean>`(servers.set_by_hand OR tunnels.set_by_hand
  OR (${hasWay('tunnels.uuid')} AND ${acceptsKey}))`
export const leadsDirectly = sql<boolean>`(servers.set_by_hand OR ${hasWay('servers.uuid')})`

/** Whether customers who enter by each of these tunnels (null: directly) get through to the server of the query. */
export const leadsFromAll = (entries: readonly (string | null)[]) =>
  sql<boolean>`NOT EXISTS (SELECT FROM unnest(${[...entries]}::uuid[]) AS entry (uuid)
    LEFT JOIN tunnels ON tunnels.uuid = entry.uuid
    WHERE NOT CASE WHEN entry.uuid IS NULL THEN ${leadsDirectly} ELSE ${leadsThrough} END)`

/** Whether the tunnel of the query leads to each of these servers. */
export const leadsToAll = (exits: readonly (string | null)[]) =>
  sql<boolean>`NOT EXISTS (SELECT FROM servers WHERE uuid = ANY (${[...exits]}::uuid[]) AND NOT ${leadsThrough})`

/** The entry's last successful run found these exits. Others are gone; a changed one has to be probed again. */
export async function noteKnownExits(
  tx: Db,
  entry: string,
  exits: readonly KnownExit[],
  outcome: ProbeOutcome | '',
): Promise<void> {
  // The row stays: it has the key that the server accepts, which may be newer than this run.
  await sql`UPDATE ways SET known = NULL WHERE entry_uuid = ${entry}
    AND exit_uuid <> ALL (${exits.map(({ uuid }) => uuid)}::uuid[])`.execute(tx)
  await sql`INSERT INTO ways (exit_uuid, entry_uuid, known, outcome)
    SELECT uuid, ${entry}, known, ${outcome} FROM jsonb_to_recordset(${JSON.stringify(exits)}::jsonb) AS e (uuid uuid, known jsonb)
    ON CONFLICT (exit_uuid, entry_uuid) DO UPDATE SET known = excluded.known, outcome = excluded.outcome, detail = '',
      failures = 0, tried_at = NULL, answered_at = NULL
    WHERE ways.known IS DISTINCT FROM excluded.known`.execute(tx)
}

/** The server's last successful run accepts the keys of these tunnels and of no others. */
export async function noteRelayKeys(tx: Db, exit: string, keys: readonly string[]): Promise<void> {
  await sql`UPDATE ways SET relay_key = NULL WHERE exit_uuid = ${exit}`.execute(tx)
  await sql`INSERT INTO ways (exit_uuid, entry_uuid, relay_key)
    SELECT ${exit}, uuid, relay_public_key FROM tunnels WHERE relay_public_key = ANY (${[...keys]}::text[])
    ON CONFLICT (exit_uuid, entry_uuid) DO UPDATE SET relay_key = excluded.relay_key`.execute(tx)
}

/** On another machine nothing is known any more. */
export async function leaveMachine(tx: Db, { kind, uuid }: { kind: string; uuid: string }): Promise<void> {
  await tx.deleteFrom('ways').where('entry_uuid', '=', uuid).execute()
  if (kind === 'server')
    await tx.updateTable('servers').set({ probe_applied_at: null }).where('uuid', '=', uuid).execute()
}

export interface Way {
  exit: string
  entry: string
}

/** Known at both ends and not proven so far; ways that failed many times wait for the next round. */
export const unprovenWays = async (
  db: Db,
  { maxFailures, needsAccount }: { maxFailures: number; needsAccount: boolean },
): Promise<Way[]> =>
  (
    await sql<Way>`SELECT w.exit_uuid AS exit, w.entry_uuid AS entry FROM ways w
      JOIN servers ON servers.uuid = w.exit_uuid LEFT JOIN tunnels ON tunnels.uuid = w.entry_uuid
      WHERE servers.state = 'ready' AND coalesce(tunnels.state, 'ready') = 'ready' AND w.known = servers.serving
        AND w.answered_at IS NULL AND w.failures < ${maxFailures} AND w.outcome NOT IN ('OFF', 'NO_CORE', 'FORBIDDEN')
        AND (servers.probe_applied_at IS NOT NULL OR NOT ${needsAccount}::boolean)
        AND (tunnels.type IS DISTINCT FROM 'ssh' OR w.relay_key = tunnels.relay_public_key)
      ORDER BY 1, 2`.execute(db)
  ).rows

/** Ways that the runs have not opened; a probe of them says nothing. Hosts set up by hand know what nobody told us. */
export const closedWays = async (db: Db): Promise<Way[]> =>
  (
    await sql<Way>`SELECT servers.uuid AS exit, tunnels.uuid AS entry FROM servers
      JOIN tunnels ON tunnels.type = servers.tunnel_type
      WHERE NOT servers.set_by_hand AND NOT tunnels.set_by_hand AND servers.serving IS NOT NULL
        AND NOT EXISTS (SELECT FROM ways w WHERE w.exit_uuid = servers.uuid AND w.entry_uuid = tunnels.uuid
          AND w.known = servers.serving AND (tunnels.type <> 'ssh' OR w.relay_key = tunnels.relay_public_key))`.execute(
      db,
    )
  ).rows

export interface ProbedWay extends Way {
  /** Where the probe found the exit: it may have moved meanwhile. */
  known: Serving | null
  outcome: ProbeOutcome
  detail: string
  isTried: boolean
}

export async function noteProbed(db: Db, ways: readonly ProbedWay[], now: Date): Promise<void> {
  await sql`UPDATE ways SET outcome = p.outcome, detail = p.detail, tried_at = ${now},
      failures = CASE WHEN p.outcome = 'ANSWERED' THEN 0 WHEN p."isTried" THEN failures + 1 ELSE failures END,
      answered_at = CASE WHEN p.outcome = 'ANSWERED' THEN ${now} ELSE answered_at END
    FROM jsonb_to_recordset(${JSON.stringify(ways)}::jsonb)
      AS p (exit uuid, entry uuid, known jsonb, outcome text, detail text, "isTried" boolean)
    WHERE exit_uuid = p.exit AND entry_uuid = p.entry AND ways.known = p.known`.execute(db)
}

/** The operator wants no probes. */
export const switchWaysOff = async (db: Db): Promise<void> =>
  void (await db
    .updateTable('ways')
    .set({ outcome: 'OFF', detail: '' })
    .where('outcome', '!=', 'OFF')
    .execute())

export interface WayOfHost {
  uuid: string
  name: string
  is_open: boolean
  outcome: ProbeOutcome | '' | null
  detail: string | null
  tried_at: Date | null
}

/** A server without tunnels is its own entry. */
export const waysOf = async (db: Db, hostUuid: string): Promise<WayOfHost[]> =>
  (
    await sql<WayOfHost>`SELECT uuid, name, is_open, w.outcome, w.detail, w.tried_at FROM (
        SELECT servers.uuid AS exit, tunnels.uuid AS entry, ${leadsThrough} AS is_open,
          CASE WHEN servers.uuid = ${hostUuid} THEN tunnels.uuid ELSE servers.uuid END AS uuid,
          CASE WHEN servers.uuid = ${hostUuid} THEN tunnels.name ELSE servers.name END AS name
        FROM servers JOIN tunnels ON tunnels.type = servers.tunnel_type
        WHERE ${hostUuid} IN (servers.uuid, tunnels.uuid) AND servers.state = 'ready' AND tunnels.state = 'ready'
        UNION ALL SELECT uuid, uuid, ${leadsDirectly}, uuid, name FROM servers
        WHERE uuid = ${hostUuid} AND tunnel_type = '' AND state = 'ready'
      ) pairs LEFT JOIN ways w ON w.exit_uuid = pairs.exit AND w.entry_uuid = pairs.entry
      ORDER BY is_open, lower(name), uuid`.execute(db)
  ).rows
