import type { HostState, TargetProblem } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export interface Watched {
  uuid: string
  url: string
  target: string
  sni: string
  /** Failed checks in a row, and since when. */
  failures: number
  since: Date | null
}

const isSameSite = sql`c.target = s.details ->> 'serverRealityTarget' AND c.sni = s.details ->> 'serverSNIAddress'`

/** Servers with customers or open for them whose check is due; those that wait longest come first. */
export const dueTargets = async (db: Db, now: Date, limit: number): Promise<Watched[]> =>
  (
    await sql<Watched>`SELECT s.uuid, s.url, s.details ->> 'serverRealityTarget' AS target,
        s.details ->> 'serverSNIAddress' AS sni, coalesce(c.failures, 0) AS failures, c.since
      FROM servers s LEFT JOIN target_checks c ON c.server_uuid = s.uuid AND ${isSameSite}
      WHERE s.details ->> 'serverRealityTarget' <> '' AND (s.state = 'ready' OR s.accounts > 0)
        AND (c.due_at IS NULL OR c.due_at <= ${now})
      ORDER BY c.due_at NULLS FIRST, s.uuid LIMIT ${limit}`.execute(db)
  ).rows

interface Check extends Omit<Watched, 'url'> {
  problems: readonly TargetProblem[]
  since: Date
  dueAt: Date
}

/** The server's state; undefined if it has another site by now, or is gone. */
export async function keepCheck(tx: Db, check: Check): Promise<HostState | undefined> {
  const { rows } = await sql<{ state: HostState }>`WITH server AS (
      SELECT uuid, state FROM servers WHERE uuid = ${check.uuid} AND details ->> 'serverRealityTarget' = ${check.target}
        AND details ->> 'serverSNIAddress' = ${check.sni} FOR UPDATE
    ), kept AS (
      INSERT INTO target_checks (server_uuid, target, sni, problems, failures, since, due_at)
      SELECT uuid, ${check.target}, ${check.sni}, ${[...check.problems]}::text[], ${check.failures}, ${check.since}, ${check.dueAt} FROM server
      ON CONFLICT (server_uuid) DO UPDATE SET target = excluded.target, sni = excluded.sni, problems = excluded.problems,
        failures = excluded.failures, since = excluded.since, due_at = excluded.due_at
    ) SELECT state FROM server`.execute(tx)
  return rows[0]?.state
}

export interface FailingTarget {
  uuid: string
  name: string
  target: string
  problems: TargetProblem[]
  since: Date
}

/** Sites that failed so many checks in a row; of all servers, or of these. */
export const failingTargets = async (
  db: Db,
  minFailures: number,
  uuids?: readonly string[],
): Promise<FailingTarget[]> =>
  (
    await sql<FailingTarget>`SELECT s.uuid, s.name, c.target, c.problems, c.since
      FROM servers s JOIN target_checks c ON c.server_uuid = s.uuid AND ${isSameSite}
      WHERE c.failures >= ${minFailures} AND (s.state = 'ready' OR s.accounts > 0)
        AND (${uuids ? [...uuids] : null}::uuid[] IS NULL OR s.uuid = ANY (${uuids ? [...uuids] : null}::uuid[]))
      ORDER BY c.since, s.uuid`.execute(db)
  ).rows
