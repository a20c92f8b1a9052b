import type { HostKind } from '@kelid/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import { type Db, first } from '../../db/database.ts'
import type { NodeStateRow } from '../../db/schema.ts'

/** Serialises reports of one host. Returns its previous state, if any. */
export async function lockState(
  tx: Db,
  state: Omit<Insertable<NodeStateRow>, 'refused_since' | 'troubles_at'> & { troubles_at?: Date },
): Promise<Selectable<NodeStateRow> | undefined> {
  const { host_uuid, ...said } = state
  const before = await first(
    tx,
    sql<Selectable<NodeStateRow>>`SELECT * FROM node_states WHERE host_uuid = ${host_uuid} FOR UPDATE`,
  )
  const isSame = before?.refused_list === said.refused_list
  const since = isSame ? before.refused_since : said.refused_list === '' ? null : said.at
  const row = { ...said, refused_since: since }
  await tx
    .insertInto('node_states')
    .values({ host_uuid, ...row })
    .onConflict((conflict) => conflict.column('host_uuid').doUpdateSet(row))
    .execute()
  return before
}

export async function lockReports(tx: Db, hostUUID: string): Promise<void> {
  await sql`SELECT FROM node_states WHERE host_uuid = ${hostUUID} FOR UPDATE`.execute(tx)
}

export interface ReportedAccount {
  uuid: string
  is_own: boolean
  /** The account left recently; its last bytes may still be reported. */
  has_just_left: boolean
  was_here: boolean
}

const aMoment = sql`interval '10 minutes'`
/** A deleted account stays connected while the agent of its tunnel is away. */
const aDay = sql`interval '1 day'`
/** The lifetime of a certificate: a host that was away longer is refused. */
const departureLifetime = sql`interval '90 days'`

/**
 * Locks the existing accounts of a report in the common order, so that they stay or also so that nobody else changes
 * them. Only foreign accounts are looked up in the departures:
 * a node reports thousands of its own, and a plan made for small tables would scan the departures for each of them.
 */
export async function lockReportedAccounts(
  tx: Db,
  hostUUID: string,
  ids: readonly string[],
  strength: 'keep' | 'change',
): Promise<ReportedAccount[]> {
  const isOwn = sql`(a.server_uuid = ${hostUUID} OR EXISTS (SELECT FROM account_ways w
    WHERE w.account_uuid = a.uuid AND w.server_uuid = ${hostUUID}))`
  const { rows } = await sql<ReportedAccount>`
    SELECT a.uuid, ${isOwn} AS is_own,
      CASE WHEN ${isOwn} THEN false ELSE EXISTS (SELECT FROM departures d WHERE d.account_uuid = a.uuid
        AND d.server_uuid = ${hostUUID} AND d.at > now() - ${aMoment}) END AS has_just_left,
      CASE WHEN ${isOwn} THEN false ELSE EXISTS (SELECT FROM departures d WHERE d.account_uuid = a.uuid
        AND d.server_uuid = ${hostUUID}) OR EXISTS (SELECT FROM usage_counters c WHERE c.account_uuid = a.uuid
        AND c.host_uuid = ${hostUUID}) END AS was_here
    FROM accounts a WHERE a.uuid = ANY (${[...ids]}::uuid[]) ORDER BY a.uuid
    ${strength === 'keep' ? sql`FOR KEY SHARE OF a` : sql`FOR NO KEY UPDATE OF a`}`.execute(tx)
  return rows
}

/** Only raises revisions, up to the requested one, and only for the node's accounts. Returns the changed accounts. */
export async function applyRevisions(
  tx: Db,
  hostUUID: string,
  applied: readonly { id: string; revision: number }[],
): Promise<string[]> {
  const said = sql`unnest(${applied.map(({ id }) => id)}::uuid[],
    ${applied.map(({ revision }) => revision)}::bigint[]) AS said (id, revision)`
  const further = await sql<{ uuid: string }>`
    UPDATE account_ways w SET applied_revision = said.revision FROM ${said} JOIN accounts a ON a.uuid = said.id
    WHERE w.account_uuid = said.id AND w.server_uuid = ${hostUUID} AND said.revision <= a.revision
      AND said.revision > coalesce(w.applied_revision, 0)
    RETURNING w.account_uuid AS uuid`.execute(tx)
  const { rows } = await sql<{ uuid: string }>`
    WITH held AS (
      SELECT a.uuid, said.revision FROM ${said}
      JOIN accounts a ON a.uuid = said.id
      WHERE a.server_uuid = ${hostUUID} AND said.revision <= a.revision
        AND said.revision > coalesce(a.applied_revision, 0)
      ORDER BY a.uuid FOR NO KEY UPDATE OF a
    )
    UPDATE accounts SET applied_revision = held.revision,
      applied_ms = CASE WHEN held.revision = accounts.revision
        THEN greatest(0, extract(epoch FROM clock_timestamp() - accounts.changed_at) * 1000)::bigint END
    FROM held WHERE accounts.uuid = held.uuid AND held.revision <= accounts.revision
    RETURNING accounts.uuid`.execute(tx)
  return [...further.rows, ...rows].map(({ uuid }) => uuid)
}

export async function beginReporting(tx: Db, hostUUID: string, at: Date): Promise<boolean> {
  const result = await tx
    .updateTable('servers')
    .set({ reporting_since: at })
    .where('uuid', '=', hostUUID)
    .where('reporting_since', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Whether the host has not reported it before. */
export async function noteProbeApplied(tx: Db, hostUUID: string, at: Date): Promise<boolean> {
  const result = await tx
    .updateTable('servers')
    .set({ probe_applied_at: at })
    .where('uuid', '=', hostUUID)
    .where('probe_applied_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** A permission to shrink is used up by the first list after it. */
export async function noteNodeList(tx: Db, hostUUID: string, number: number): Promise<void> {
  await sql`UPDATE node_lists SET held_number = ${number},
    may_shrink_until = CASE WHEN ${number}::bigint > may_shrink_after THEN NULL ELSE may_shrink_until END
    WHERE host_uuid = ${hostUUID} AND number >= ${number}::bigint AND held_number < ${number}::bigint`.execute(
    tx,
  )
}

/** All tunnels by which accounts have come to this server: old connections stay at a former one. */
export async function tunnelsOf(
  tx: Db,
  hostUUID: string,
  ids: readonly string[],
): Promise<{ uuid: string; tunnel: string }[]> {
  const { rows } = await sql<{ uuid: string; tunnel: string }>`
    SELECT account_uuid AS uuid, tunnel_uuid AS tunnel FROM departures
    WHERE account_uuid = ANY (${[...ids]}::uuid[]) AND server_uuid = ${hostUUID} AND tunnel_uuid IS NOT NULL
    UNION SELECT account_uuid, tunnel_uuid FROM placements
    WHERE account_uuid = ANY (${[...ids]}::uuid[]) AND server_uuid = ${hostUUID} AND tunnel_uuid IS NOT NULL
    ORDER BY tunnel`.execute(tx)
  return rows
}

export async function hostAddresses(tx: Db): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    SELECT ipv4 AS address FROM servers UNION SELECT details ->> 'serverIPV6' FROM servers
    UNION SELECT ipv4 FROM tunnels UNION SELECT ipv6 FROM tunnels`.execute(tx)
  return rows.map(({ address }) => address)
}

/** With the longest port sets, what one exit orders in a minute fits into an answer to the relay. */
const maxOrders = 2_000

/** Locks the relay's list, so that lists contain cuts in order. */
export async function addCuts(
  tx: Db,
  tunnelUUID: string,
  exitUUID: string,
  cuts: readonly { address: string; port: number; ports?: string | undefined }[],
  at: Date,
): Promise<void> {
  await sql`INSERT INTO node_lists (host_uuid) VALUES (${tunnelUUID}) ON CONFLICT DO NOTHING`.execute(tx)
  await sql`SELECT FROM node_lists WHERE host_uuid = ${tunnelUUID} FOR UPDATE`.execute(tx)
  const before = (seconds: number) => new Date(at.getTime() - 1000 * seconds)
  await sql`WITH added AS (
      INSERT INTO node_cuts (host_uuid, exit_uuid, address, port, ports, at)
      SELECT ${tunnelUUID}::uuid, ${exitUUID}::uuid, address, port, ports, ${at}::timestamptz
      FROM unnest(${cuts.map(({ address }) => address)}::text[], ${cuts.map(({ port }) => port)}::int[],
        ${cuts.map(({ ports }) => ports ?? null)}::text[]) AS cut (address, port, ports)
      WHERE NOT EXISTS (SELECT FROM node_cuts known WHERE known.host_uuid = ${tunnelUUID}
        AND known.at > ${before(5)} AND (known.address, known.port) = (cut.address, cut.port)
        AND known.ports IS NOT DISTINCT FROM cut.ports)
      LIMIT greatest(0, ${maxOrders}::int - (SELECT count(*) FROM node_cuts WHERE host_uuid = ${tunnelUUID}
        AND exit_uuid = ${exitUUID} AND node_cuts.at > ${before(60)}))
      RETURNING id
    )
    UPDATE node_lists SET last_cut = coalesce((SELECT max(id) FROM added), last_cut)
    WHERE host_uuid = ${tunnelUUID}`.execute(tx)
  await sql`SELECT pg_notify('kelid_nodes', ${tunnelUUID}::text)`.execute(tx)
}

export const hasReportedList = async (tx: Db, hostUUID: string): Promise<boolean> =>
  (await tx
    .selectFrom('node_lists')
    .select('number')
    .where('host_uuid', '=', hostUUID)
    .where('held_number', '>', 0)
    .executeTakeFirst()) !== undefined

export async function forgetNews(db: Db, cutsBefore: Date): Promise<void> {
  await db.deleteFrom('node_cuts').where('at', '<', cutsBefore).execute()
  await sql`DELETE FROM departures d WHERE at < now() - ${departureLifetime} OR (at < now() - ${aDay}
    AND NOT EXISTS (SELECT FROM accounts WHERE uuid = d.account_uuid))`.execute(db)
}

export interface RefusingHost {
  kind: HostKind
  uuid: string
  name: string
  refused: 'older' | 'smaller'
  since: Date
}

export async function refusingHosts(db: Db): Promise<RefusingHost[]> {
  const { rows } = await sql<RefusingHost>`
    SELECT kind, uuid, name, s.refused_list AS refused, s.refused_since AS since FROM node_states s
    JOIN (SELECT 'server' AS kind, uuid, name FROM servers UNION ALL SELECT 'tunnel', uuid, name FROM tunnels) hosts
      ON hosts.uuid = s.host_uuid
    WHERE s.refused_list <> '' ORDER BY s.refused_since, uuid`.execute(db)
  return rows
}
