import type { HostKind, HostState, RunState } from '@kelid/contract'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ProvisionRunRow } from '../../db/schema.ts'

export type RunRecord = Selectable<ProvisionRunRow>

/** Holds a run that is under way until the transaction ends; false when it was called off. */
export const holdRun = async (tx: Db, uuid: string): Promise<boolean> =>
  (await tx
    .selectFrom('provision_runs')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()) !== undefined

/** Takes a run that waits, or one whose worker has not been heard of since `lostBefore`. Null: somebody has it. */
export const leaseRun = (db: Db, uuid: string, now: Date, lostBefore: Date): Promise<RunRecord | undefined> =>
  db
    .updateTable('provision_runs')
    .set((run) => ({ state: 'running', started_at: now, attempts: run('attempts', '+', 1) }))
    .where('uuid', '=', uuid)
    .where((or) =>
      or.or([or('state', '=', 'queued'), or.and({ state: 'running' }).and('started_at', '<', lostBefore)]),
    )
    .returningAll()
    .executeTakeFirst()

export async function finishRun(tx: Db, uuid: string, state: RunState, now: Date): Promise<void> {
  await tx.updateTable('provision_runs').set({ state, finished_at: now }).where('uuid', '=', uuid).execute()
}

/**
 * Appends lines and returns the number of the first, or null when they do not fit any more. `once` appends
 * whatever the size and fills the log up, so that nothing comes after.
 */
export async function appendLines(
  tx: Db,
  uuid: string,
  lines: readonly string[],
  maxBytes: number,
  now: Date,
  { once = false } = {},
): Promise<number | null> {
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
  const run = await tx
    .updateTable('provision_runs')
    .set((row) => ({
      lines: row('lines', '+', lines.length),
      bytes: once ? maxBytes + 1 : row('bytes', '+', bytes),
    }))
    .where('uuid', '=', uuid)
    .where('bytes', '<=', once ? maxBytes : maxBytes - bytes)
    .returning('lines')
    .executeTakeFirst()
  if (!run) return null
  const first = run.lines - lines.length + 1
  await tx
    .insertInto('provision_lines')
    .values(lines.map((line, index) => ({ run_uuid: uuid, number: first + index, at: now, line })))
    .execute()
  return first
}

export const openRuns = async (db: Db): Promise<string[]> =>
  (
    await db.selectFrom('provision_runs').select('uuid').where('state', 'in', ['queued', 'running']).execute()
  ).map((row) => row.uuid)

/** Of hosts that are still there. */
export async function lastFailures(db: Db, limit: number) {
  const { rows } = await sql<{
    subject: HostKind
    uuid: string
    name: string
    failed_at: Date
    last_line: string
    state: HostState | null
  }>`
    SELECT r.subject, r.subject_uuid AS uuid, coalesce(s.name, t.name) AS name, coalesce(s.state, t.state) AS state, r.finished_at AS failed_at,
           coalesce((SELECT line FROM provision_lines l WHERE l.run_uuid = r.uuid ORDER BY number DESC LIMIT 1), '') AS last_line
    FROM provision_runs r
    LEFT JOIN servers s ON s.uuid = r.subject_uuid
    LEFT JOIN tunnels t ON t.uuid = r.subject_uuid
    WHERE r.state = 'failed' AND coalesce(s.uuid, t.uuid) IS NOT NULL ORDER BY r.finished_at DESC LIMIT ${limit}`.execute(
    db,
  )
  return rows
}
