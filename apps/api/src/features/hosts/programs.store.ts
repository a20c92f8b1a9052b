import type { Programs } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { tableOf } from './hosts.store.ts'
import type { Host } from './kinds.ts'

export async function wantPrograms(tx: Db, { kind, uuid }: Host, programs: Programs): Promise<void> {
  await tx
    .updateTable(tableOf[kind])
    .set({ wanted_programs: JSON.stringify(programs), failed_upgrade: null })
    .where('uuid', '=', uuid)
    .execute()
}

/** A host that wanted nothing in particular wants from now on what it has. */
export async function noteInstalled(tx: Db, { kind, uuid }: Host, programs: Programs): Promise<void> {
  await sql`UPDATE ${sql.table(tableOf[kind])} SET installed_programs = ${JSON.stringify(programs)}::jsonb,
    wanted_programs = coalesce(wanted_programs, ${JSON.stringify(programs)}::jsonb) WHERE uuid = ${uuid}`.execute(
    tx,
  )
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

export async function readPrograms(
  tx: Db,
  { kind, uuid }: Host,
): Promise<{ wanted: Programs | null; installed: Programs | null }> {
  return tx
    .selectFrom(tableOf[kind])
    .select(['wanted_programs as wanted', 'installed_programs as installed'])
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow()
}
