import type { HostKind, HostState, Programs } from '@kelid/contract'
import { sql } from 'kysely'
import { type Db, first, only } from '../../db/database.ts'
import { type Order, pageClauses, pageOf } from '../../db/page.ts'
import type { FailedUpgrade, RolloutRow } from '../../db/schema.ts'
import { type PerProcessor, type Processor, thisProcessor } from '../../lib/processor.ts'

const columns = sql`uuid, name, ipv4, service, state, set_by_hand, processor, wanted_programs, installed_programs,
  failed_upgrade, upkeep_failures`
const hosts = sql`(SELECT 'server' AS kind, ${columns} FROM servers UNION ALL SELECT 'tunnel', ${columns} FROM tunnels) host`

export type Target = PerProcessor<Programs>

/** For the host's processor; that of the control plane before a run has told. */
const ofHost = (target: Target) =>
  sql`(${JSON.stringify(target)}::jsonb -> coalesce(processor, ${thisProcessor}))`

/** The line that a run ended with. */
const lastLine = sql<string>`coalesce((SELECT line FROM provision_lines
  WHERE run_uuid = (host.failed_upgrade ->> 'run')::uuid ORDER BY number DESC LIMIT 1), '')`

export interface HostPrograms {
  kind: HostKind
  uuid: string
  name: string
  state: HostState
  processor: Processor | null
  wanted_programs: Programs | null
  installed_programs: Programs | null
  failed_upgrade: FailedUpgrade | null
  last_line: string
  agent_version: string
  core_version: string
}

const byName: Order<HostPrograms> = {
  column: sql`lower(host.name)`,
  kind: 'text',
  isDown: false,
  sortValue: (host) => host.name.toLowerCase(),
  identity: { column: sql`host.uuid`, kind: 'uuid', of: (host) => host.uuid },
}

export async function listHosts(
  db: Db,
  {
    limit = 40,
    cursor,
    machineIPV4,
  }: { limit?: number | undefined; cursor?: string | undefined; machineIPV4?: string | undefined },
) {
  const isAsked = machineIPV4 === undefined ? sql`true` : sql`host.ipv4 = ${machineIPV4}`
  const [{ rows }, { total }] = await Promise.all([
    sql<HostPrograms>`SELECT host.*, ${lastLine} AS last_line, coalesce(report.agent_version, '') AS agent_version,
        coalesce(CASE WHEN state.at >= report.at OR report.at IS NULL THEN state.core_version ELSE report.core_version END, '')
          AS core_version
      FROM ${hosts} LEFT JOIN node_reports report ON report.host_uuid = host.uuid
      LEFT JOIN node_states state ON state.host_uuid = host.uuid
      WHERE ${isAsked} ${pageClauses(byName, { cursor, limit })}`.execute(db),
    only(db, sql<{ total: number }>`SELECT count(*) AS total FROM ${hosts} WHERE ${isAsked}`),
  ])
  return { ...pageOf(rows, byName, limit), total }
}

/** In service and provisioned by a run: upgrades of all hosts leave the others alone. */
const isUpgradeable = (target: Target) =>
  sql`state = 'ready' AND NOT set_by_hand AND ${ofHost(target)} IS NOT NULL AND installed_programs IS DISTINCT FROM ${ofHost(target)}
    AND wanted_programs IS DISTINCT FROM ${ofHost(target)}`
const runsIt = (target: Target) => sql`state = 'ready' AND installed_programs = ${ofHost(target)}`
const isUnderWay = (target: Target) =>
  sql`wanted_programs = ${ofHost(target)} AND installed_programs IS DISTINCT FROM ${ofHost(target)}`

export const countHosts = (
  db: Db,
  newest: Target,
): Promise<{ current: number; waiting: number; outdated: number; machines: number }> =>
  only(
    db,
    sql`SELECT count(*) FILTER (WHERE ${runsIt(newest)}) AS current,
      count(*) FILTER (WHERE ${isUnderWay(newest)}) AS waiting,
      count(*) FILTER (WHERE ${isUpgradeable(newest)}) AS outdated,
      (SELECT count(*) FROM (SELECT FROM ${hosts} GROUP BY ipv4 HAVING bool_or(${runsIt(newest)})
        AND NOT bool_or(${isUpgradeable(newest)}) AND NOT bool_or(${isUnderWay(newest)})) machine) AS machines FROM ${hosts}`,
  )

export const countUnderWay = async (tx: Db, target: Target): Promise<number> =>
  (await only(tx, sql<{ hosts: number }>`SELECT count(*) AS hosts FROM ${hosts} WHERE ${isUnderWay(target)}`))
    .hosts

export interface NextHost {
  kind: HostKind
  uuid: string
  state: HostState
  processor: Processor | null
}

const nextColumns = sql`kind, uuid, state, processor`
/** Tunnels first, because their agents carry out orders of servers' agents. */
const inTurn = sql`kind DESC, service, uuid`

/**
 * The hosts of the next machines: a machine is upgraded as a whole. Machines that already have trouble come last,
 * because the first failure ends the upgrade of all.
 */
export const nextHosts = async (tx: Db, target: Target, machines: number): Promise<NextHost[]> =>
  (
    await sql<NextHost>`WITH candidates AS (SELECT * FROM ${hosts} WHERE ${isUpgradeable(target)}),
        machines AS (SELECT ipv4, row_number() OVER (ORDER BY bool_or(failed_upgrade IS NOT NULL), bool_or(upkeep_failures > 0),
          max(kind) DESC, min(name), ipv4) AS place FROM candidates GROUP BY ipv4)
      SELECT ${nextColumns} FROM candidates JOIN machines USING (ipv4) WHERE place <= ${machines}
      ORDER BY place, ${inTurn}`.execute(tx)
  ).rows

/** Hosts of one machine that an upgrade changes, and the named one in any state. */
export const hostsAround = async (tx: Db, target: Target, uuid: string): Promise<NextHost[]> =>
  (
    await sql<NextHost>`SELECT ${nextColumns} FROM ${hosts} WHERE uuid = ${uuid} OR ${isUpgradeable(target)}
        AND ipv4 = (SELECT ipv4 FROM ${hosts} WHERE uuid = ${uuid}) ORDER BY ${inTurn}`.execute(tx)
  ).rows

export const firstFailure = (
  tx: Db,
  { programs, started_at }: RolloutRecord,
): Promise<{ uuid: string } | undefined> =>
  first(
    tx,
    sql<{
      uuid: string
    }>`SELECT host.uuid FROM ${hosts} WHERE failed_upgrade -> 'programs' = ${ofHost(programs)}
      AND (failed_upgrade ->> 'at')::timestamptz >= ${started_at} ORDER BY failed_upgrade ->> 'at' LIMIT 1`,
  )

/** Their runs have not begun; they become ordinary ones. */
export async function forgetWaiting(tx: Db, target: Target): Promise<void> {
  for (const table of ['servers', 'tunnels'] as const)
    await sql`UPDATE ${sql.table(table)} host SET wanted_programs = installed_programs
      WHERE ${isUnderWay(target)} AND told IS NOT NULL AND NOT EXISTS (SELECT FROM provision_runs
        WHERE subject_uuid = host.uuid AND purpose = 'set-up' AND state = 'running')`.execute(tx)
}

export type RolloutRecord = Omit<RolloutRow, 'programs'> & { programs: Target }

/** false if one is running. */
export async function insertRollout(tx: Db, { programs, ...row }: RolloutRecord): Promise<boolean> {
  const result = await tx
    .insertInto('rollouts')
    .values({ ...row, programs: JSON.stringify(programs) })
    .onConflict((conflict) => conflict.column('state').where(sql<boolean>`state = 'running'`).doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const lockRunning = (tx: Db): Promise<RolloutRecord | undefined> =>
  tx.selectFrom('rollouts').selectAll().where('state', '=', 'running').forUpdate().executeTakeFirst()

export async function finishRollout(
  tx: Db,
  uuid: string,
  end: Pick<RolloutRecord, 'state' | 'failed_host'> & { finished_at: Date },
): Promise<void> {
  await tx.updateTable('rollouts').set(end).where('uuid', '=', uuid).execute()
}

export interface LastRollout extends RolloutRecord {
  host_kind: HostKind
  host_uuid: string | null
  host_name: string
  last_line: string
}

export const lastRollout = (db: Db): Promise<LastRollout | undefined> =>
  first(
    db,
    sql<LastRollout>`SELECT rollout.*, host.kind AS host_kind, host.uuid AS host_uuid, host.name AS host_name,
        ${lastLine} AS last_line
      FROM rollouts rollout LEFT JOIN ${hosts} ON host.uuid = rollout.failed_host
      ORDER BY rollout.started_at DESC, rollout.uuid LIMIT 1`,
  )
