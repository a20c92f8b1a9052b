import type { HostKind } from '@kelid/contract'
import { sql } from 'kysely'
import { type Db, first } from '../../db/database.ts'
import { tableOf } from './hosts.store.ts'

interface Host {
  kind: HostKind
  uuid: string
}

const setFailures = async (
  tx: Db,
  { kind, uuid }: Host,
  upkeep_failures: number,
  upkeep_retry_at: Date | null,
) =>
  void (await tx
    .updateTable(tableOf[kind])
    .set({ upkeep_failures, upkeep_retry_at })
    .where('uuid', '=', uuid)
    .execute())

export const noteFailure = setFailures

export const forgetFailures = (tx: Db, host: Host): Promise<void> => setFailures(tx, host, 0, null)

export interface FailedUpkeep {
  failures: number
  retry_at: Date
  run: string
  failed_at: Date
  last_line: string
}

export const failedUpkeepOf = (db: Db, { kind, uuid }: Host): Promise<FailedUpkeep | undefined> =>
  first(
    db,
    sql<FailedUpkeep>`SELECT host.upkeep_failures AS failures, host.upkeep_retry_at AS retry_at, run.uuid AS run,
        run.finished_at AS failed_at, coalesce((SELECT line FROM provision_lines WHERE run_uuid = run.uuid
          ORDER BY number DESC LIMIT 1), '') AS last_line
      FROM ${sql.table(tableOf[kind])} host JOIN provision_runs run ON run.subject_uuid = host.uuid
      WHERE host.uuid = ${uuid} AND host.upkeep_retry_at IS NOT NULL AND run.purpose = 'set-up'
        AND run.state IN ('failed', 'cancelled')
      ORDER BY run.finished_at DESC LIMIT 1`,
  )

export interface FailingHost extends Host {
  name: string
  failures: number
}

export const failingHosts = async (db: Db): Promise<FailingHost[]> =>
  (
    await sql<FailingHost>`SELECT 'server' AS kind, uuid, name, upkeep_failures AS failures FROM servers
        WHERE upkeep_retry_at IS NOT NULL
      UNION ALL SELECT 'tunnel', uuid, name, upkeep_failures FROM tunnels WHERE upkeep_retry_at IS NOT NULL
      ORDER BY name, uuid`.execute(db)
  ).rows

export const hostsToRetry = async (db: Db, now: Date): Promise<Host[]> =>
  (
    await sql<Host>`SELECT 'server' AS kind, uuid FROM servers WHERE upkeep_retry_at <= ${now}
      UNION ALL SELECT 'tunnel', uuid FROM tunnels WHERE upkeep_retry_at <= ${now} ORDER BY kind, uuid`.execute(
      db,
    )
  ).rows
