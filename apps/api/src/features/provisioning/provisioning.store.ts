import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ProvisionRunRow, RunState, RunSubject } from '../../db/schema.ts'

export type RunRecord = Selectable<ProvisionRunRow>

export async function supersede(
  tx: Db,
  subjectUuid: string,
  states: readonly RunState[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('provision_runs')
    .set({ state: 'superseded', finished_at: now })
    .where('subject_uuid', '=', subjectUuid)
    .where('state', 'in', states)
    .execute()
}

/** Holds a run that is under way until the transaction ends; false when it was called off. */
export const holdRun = async (tx: Db, uuid: string): Promise<boolean> =>
  (await tx
    .selectFrom('provision_runs')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()) !== undefined

/** A new run supersedes whatever was waiting for the same host. */
export async function insertRun(
  tx: Db,
  subject: RunSubject,
  subjectUuid: string,
  now: Date,
): Promise<string> {
  await supersede(tx, subjectUuid, ['queued'], now)
  const uuid = randomUUID()
  await tx
    .insertInto('provision_runs')
    .values({
      uuid,
      subject,
      subject_uuid: subjectUuid,
      state: 'queued',
      created_at: now,
      started_at: null,
      finished_at: null,
    })
    .execute()
  return uuid
}

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

export const latestRun = (db: Db, subjectUuid: string): Promise<RunRecord | undefined> =>
  db
    .selectFrom('provision_runs')
    .selectAll()
    .where('subject_uuid', '=', subjectUuid)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function logOf(db: Db, uuid: string): Promise<string> {
  const rows = await db
    .selectFrom('provision_lines')
    .select('line')
    .where('run_uuid', '=', uuid)
    .orderBy('number')
    .execute()
  return rows.map((row) => row.line).join('\n')
}

export const openRuns = async (db: Db): Promise<string[]> =>
  (
    await db.selectFrom('provision_runs').select('uuid').where('state', 'in', ['queued', 'running']).execute()
  ).map((row) => row.uuid)

export async function lastFailures(db: Db, limit: number) {
  const { rows } = await sql<{
    subject: RunSubject
    uuid: string
    name: string
    failed_at: Date
    last_line: string
  }>`
    SELECT r.subject, r.subject_uuid AS uuid, coalesce(s.name, t.name, '') AS name, r.finished_at AS failed_at,
           coalesce((SELECT line FROM provision_lines l WHERE l.run_uuid = r.uuid ORDER BY number DESC LIMIT 1), '') AS last_line
    FROM provision_runs r
    LEFT JOIN servers s ON s.uuid = r.subject_uuid
    LEFT JOIN tunnels t ON t.uuid = r.subject_uuid
    WHERE r.state = 'failed' ORDER BY r.finished_at DESC LIMIT ${limit}`.execute(db)
  return rows
}
