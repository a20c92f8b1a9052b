import type { Programs } from '@kelid/contract'
import { sql } from 'kysely'
import { type Db, first } from '../../db/database.ts'
import type { Processor } from '../../lib/processor.ts'
import { tableOf } from './hosts.store.ts'
import type { Host } from './kinds.ts'

export async function wantPrograms(tx: Db, { kind, uuid }: Host, programs: Programs): Promise<void> {
  await tx
    .updateTable(tableOf[kind])
    .set({ wanted_programs: JSON.stringify(programs), failed_upgrade: null })
    .where('uuid', '=', uuid)
    .execute()
}

/** A host that wanted nothing for this processor wants from now on what it has. */
export async function noteInstalled(
  tx: Db,
  { kind, uuid }: Host,
  processor: Processor,
  programs: Programs,
): Promise<void> {
  const installed = sql`${JSON.stringify(programs)}::jsonb`
  await sql`UPDATE ${sql.table(tableOf[kind])} SET processor = ${processor}, installed_programs = ${installed},
    wanted_programs = CASE WHEN coalesce(processor, ${processor}) = ${processor} THEN coalesce(wanted_programs, ${installed})
      ELSE ${installed} END
    WHERE uuid = ${uuid}`.execute(tx)
}

export async function giveUpgradeUp(
  tx: Db,
  { kind, uuid }: Host,
  { run, at }: { run: string | null; at: Date },
): Promise<void> {
  await sql`UPDATE ${sql.table(tableOf[kind])} SET wanted_programs = installed_programs,
    failed_upgrade = jsonb_build_object('programs', wanted_programs, 'run', ${run}::text, 'at', ${at.toISOString()}::text)
    WHERE uuid = ${uuid} AND told IS NOT NULL AND wanted_programs IS DISTINCT FROM installed_programs`.execute(
    tx,
  )
}

/** What the host was to run if this run failed to install it. */
export const findFailedUpgrade = async (
  tx: Db,
  { kind, uuid }: Host,
  run: string,
): Promise<{ ipv4: string; programs: Programs } | undefined> =>
  first(
    tx,
    sql<{ ipv4: string; programs: Programs }>`SELECT ipv4, failed_upgrade -> 'programs' AS programs
      FROM ${sql.table(tableOf[kind])} WHERE uuid = ${uuid} AND failed_upgrade ->> 'run' = ${run}`,
  )

/** Its run has not begun; it becomes an ordinary one. */
export async function keepInstalled(tx: Db, { kind, uuid }: Host, programs: Programs): Promise<void> {
  await sql`UPDATE ${sql.table(tableOf[kind])} host SET wanted_programs = installed_programs
    WHERE uuid = ${uuid} AND told IS NOT NULL AND wanted_programs = ${JSON.stringify(programs)}::jsonb
      AND NOT EXISTS (SELECT FROM provision_runs WHERE subject_uuid = host.uuid AND purpose = 'set-up' AND state = 'running')`.execute(
    tx,
  )
}

export async function readPrograms(
  tx: Db,
  { kind, uuid }: Host,
): Promise<{ processor: Processor | null; wanted: Programs | null; installed: Programs | null }> {
  return tx
    .selectFrom(tableOf[kind])
    .select(['processor', 'wanted_programs as wanted', 'installed_programs as installed'])
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow()
}

/** Digests of the cores that hosts in service run. */
export const installedCores = async (db: Db): Promise<string[]> =>
  (
    await sql<{ sha256: string }>`SELECT DISTINCT installed_programs #>> '{core,sha256}' AS sha256
      FROM (SELECT state, installed_programs FROM servers UNION ALL SELECT state, installed_programs FROM tunnels) host
      WHERE state = 'ready' AND installed_programs IS NOT NULL`.execute(db)
  ).rows.map(({ sha256 }) => sha256)
