import { randomUUID } from 'node:crypto'
import type { HostKind } from '@kelid/contract'
import type { Db } from '../../db/database.ts'
import type { RunState } from '../../db/schema.ts'

export async function supersede(
  tx: Db,
  hostUuid: string,
  states: readonly RunState[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('provision_runs')
    .set({ state: 'superseded', finished_at: now })
    .where('subject_uuid', '=', hostUuid)
    .where('state', 'in', states)
    .execute()
}

export async function insertRun(tx: Db, kind: HostKind, hostUuid: string, now: Date): Promise<string> {
  const uuid = randomUUID()
  await tx
    .insertInto('provision_runs')
    .values({
      uuid,
      subject: kind,
      subject_uuid: hostUuid,
      state: 'queued',
      created_at: now,
      started_at: null,
      finished_at: null,
    })
    .execute()
  return uuid
}

/** null when the host never had a run. */
export async function latestLog(db: Db, hostUuid: string): Promise<string | null> {
  const run = await db
    .selectFrom('provision_runs')
    .select('uuid')
    .where('subject_uuid', '=', hostUuid)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!run) return null
  const rows = await db
    .selectFrom('provision_lines')
    .select('line')
    .where('run_uuid', '=', run.uuid)
    .orderBy('number')
    .execute()
  return rows.map((row) => row.line).join('\n')
}
