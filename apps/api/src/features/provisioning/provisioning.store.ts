import type { HostKind, HostState, RunState } from '@kelid/contract'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ProvisionRunRow } from '../../db/schema.ts'

export type RunRecord = Selectable<ProvisionRunRow>

/** Taking a run over raises `attempts`, which identifies the lease. */
export type Lease = Pick<RunRecord, 'uuid' | 'attempts'>

const updateLeased = (db: Db, { uuid, attempts }: Lease) =>
  db.updateTable('provision_runs').where('uuid', '=', uuid).where('attempts', '=', attempts)

/** Locks an open run; false if it was cancelled or another worker has it. */
export const holdRun = async (
  tx: Db,
  { uuid, attempts }: Lease,
  state: RunState = 'running',
): Promise<boolean> =>
  (await tx
    .selectFrom('provision_runs')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where('attempts', '=', attempts)
    .where('state', '=', state)
    .forUpdate()
    .executeTakeFirst()) !== undefined

const lastHeard = sql<Date>`coalesce(beat_at, started_at)`

/**
 * Takes host and machine from a run whose worker is silent, in favour of a queued one. A run of the same host ends; that
 * of another host goes on later.
 */
export async function endLostBefore(tx: Db, uuid: string, now: Date, lostBefore: Date): Promise<void> {
  const ends = sql`lost.state = 'running' AND lost.subject_uuid = run.subject_uuid`
  await sql`UPDATE provision_runs lost
    SET beat_at = NULL,
        state = CASE WHEN ${ends} THEN 'superseded' ELSE lost.state END,
        finished_at = CASE WHEN ${ends} THEN ${now} ELSE lost.finished_at END
    FROM provision_runs run
    WHERE run.uuid = ${uuid} AND run.state = 'queued' AND (lost.subject_uuid = run.subject_uuid OR lost.address = run.address) AND lost.uuid <> run.uuid
      AND (lost.beat_at < ${lostBefore} OR (lost.state = 'running' AND lost.beat_at IS NULL AND lost.started_at < ${lostBefore}))`.execute(
    tx,
  )
}

/** Runs of one host or of one machine take turns. */
const isBeside = sql<boolean>`(other.subject_uuid = run.subject_uuid OR other.address = run.address)`

/** Leases a waiting run or one with a silent worker; undefined if a worker has it or another run of its host or machine. */
export const leaseRun = (
  tx: Db,
  uuid: string,
  now: Date,
  lostBefore: Date,
  maxAttempts: number,
): Promise<RunRecord | undefined> =>
  tx
    .updateTable('provision_runs as run')
    .set((run) => ({ state: 'running', started_at: now, beat_at: now, attempts: run('attempts', '+', 1) }))
    .where('run.uuid', '=', uuid)
    .where('run.attempts', '<', maxAttempts)
    .where((or) =>
      or.or([
        or('run.state', '=', 'queued'),
        or.and({ 'run.state': 'running' }).and(lastHeard, '<', lostBefore),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('provision_runs as other')
            .select('other.uuid')
            .where(isBeside)
            .whereRef('other.uuid', '!=', 'run.uuid')
            .where('other.beat_at', 'is not', null),
        ),
      ),
    )
    .returningAll('run')
    .executeTakeFirst()

/** Renews the lease and returns the run's state; undefined if another worker has taken it over. */
export const beat = async (db: Db, lease: Lease, now: Date): Promise<RunState | undefined> =>
  (
    await updateLeased(db, lease)
      .set({ beat_at: now })
      .where('beat_at', 'is not', null)
      .returning('state')
      .executeTakeFirst()
  )?.state

export const stateOf = async (db: Db, { uuid, attempts }: Lease): Promise<RunState | undefined> =>
  (
    await db
      .selectFrom('provision_runs')
      .select('state')
      .where('uuid', '=', uuid)
      .where('attempts', '=', attempts)
      .executeTakeFirst()
  )?.state

export async function noteReached(db: Db, lease: Lease): Promise<void> {
  await updateLeased(db, lease).set({ has_reached: true }).execute()
}

/** Frees the host and its machine and returns the runs that waited for each of them: provisioning before cleaning. */
export async function release(tx: Db, lease: Lease): Promise<string[]> {
  const host = await updateLeased(tx, lease)
    .set({ beat_at: null })
    .returning(['subject_uuid', 'address'])
    .executeTakeFirst()
  if (!host) return []
  const waiting = await tx
    .selectFrom('provision_runs')
    .select(['uuid', 'subject_uuid', 'address'])
    .where((or) => or.or([or('subject_uuid', '=', host.subject_uuid), or('address', '=', host.address)]))
    .where('state', '=', 'queued')
    .orderBy('purpose', 'desc')
    .orderBy('created_at')
    .execute()
  const next = [
    waiting.find(({ subject_uuid }) => subject_uuid === host.subject_uuid),
    waiting.find(({ address }) => address === host.address),
  ]
  return [...new Set(next.flatMap((run) => run?.uuid ?? []))]
}

/** Queues the run again; an orderly stop does not count as an attempt. */
export async function putBack(tx: Db, lease: Lease): Promise<boolean> {
  const result = await updateLeased(tx, lease)
    .set({ state: 'queued', beat_at: null, attempts: lease.attempts - 1 })
    .where('state', '=', 'running')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function finishRun(tx: Db, uuid: string, state: RunState, now: Date): Promise<void> {
  await tx
    .updateTable('provision_runs')
    .set({ state, finished_at: now, last_words: null })
    .where('uuid', '=', uuid)
    .execute()
}

export const hasWaiting = async (tx: Db, hostUuid: string): Promise<boolean> =>
  (await tx
    .selectFrom('provision_runs')
    .select('uuid')
    .where('subject_uuid', '=', hostUuid)
    .where('purpose', '=', 'set-up')
    .where('state', '=', 'queued')
    .executeTakeFirst()) !== undefined

export const findCleaning = (db: Db, uuid: string): Promise<RunRecord | undefined> =>
  db
    .selectFrom('provision_runs')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('purpose', '=', 'clean')
    .where('state', '=', 'queued')
    .executeTakeFirst()

export const waitingCleanings = (db: Db): Promise<RunRecord[]> =>
  db
    .selectFrom('provision_runs')
    .selectAll()
    .where('purpose', '=', 'clean')
    .where('state', '=', 'queued')
    .orderBy('created_at')
    .execute()

export const lostRuns = (db: Db, lostBefore: Date): Promise<RunRecord[]> =>
  db
    .selectFrom('provision_runs')
    .selectAll()
    .where('state', '=', 'running')
    .where(lastHeard, '<', lostBefore)
    .execute()

/** Waiting so long that their job may be lost. Runs of a busy host are sent when it is free. */
export const forgottenRuns = async (db: Db, queuedBefore: Date, lostBefore: Date): Promise<string[]> =>
  (
    await db
      .selectFrom('provision_runs as run')
      .select('run.uuid')
      .where('run.state', '=', 'queued')
      .where('run.created_at', '<', queuedBefore)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('provision_runs as other')
              .select('other.uuid')
              .where(isBeside)
              .where('other.beat_at', '>=', lostBefore),
          ),
        ),
      )
      .execute()
  ).map((row) => row.uuid)

/** null if the log is full. `once` ignores the limit and marks the log as full; then only `always` appends. */
export async function appendLines(
  tx: Db,
  uuid: string,
  lines: readonly string[],
  maxBytes: number,
  now: Date,
  { once = false, always = false } = {},
): Promise<number | null> {
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
  const run = await tx
    .updateTable('provision_runs')
    .set((row) => ({
      lines: row('lines', '+', lines.length),
      bytes: once ? maxBytes + 1 : row('bytes', '+', bytes),
    }))
    .where('uuid', '=', uuid)
    .$if(!always, (append) => append.where('bytes', '<=', once ? maxBytes : maxBytes - bytes))
    .returning('lines')
    .executeTakeFirst()
  if (!run) return null
  const first = run.lines - lines.length + 1
  await sql`INSERT INTO provision_lines (run_uuid, number, at, line)
    SELECT ${uuid}::uuid, ${first}::int + position - 1, ${now}::timestamptz, line
    FROM unnest(${[...lines]}::text[]) WITH ORDINALITY AS lines (line, position)`.execute(tx)
  return first
}

export const openRunsWithoutAddress = (db: Db): Promise<RunRecord[]> =>
  db
    .selectFrom('provision_runs')
    .selectAll()
    .where('state', 'in', ['queued', 'running'])
    .where('address', 'is', null)
    .execute()

export async function setAddress(db: Db, uuid: string, address: string): Promise<void> {
  await db.updateTable('provision_runs').set({ address }).where('uuid', '=', uuid).execute()
}

export const openRuns = async (db: Db): Promise<string[]> =>
  (
    await db.selectFrom('provision_runs').select('uuid').where('state', 'in', ['queued', 'running']).execute()
  ).map((row) => row.uuid)

/** Hosts that still need attention come first. */
export async function lastFailures(db: Db, limit: number) {
  const { rows } = await sql<{
    subject: HostKind
    uuid: string
    name: string
    failed_at: Date
    last_line: string
    state: HostState
    retry_at: Date | null
  }>`
    WITH last AS (
      SELECT DISTINCT ON (subject_uuid) uuid, subject, subject_uuid, finished_at FROM provision_runs
      WHERE state = 'failed' AND purpose = 'set-up' ORDER BY subject_uuid, finished_at DESC
    )
    SELECT r.subject, r.subject_uuid AS uuid, coalesce(s.name, t.name) AS name, coalesce(s.state, t.state) AS state, r.finished_at AS failed_at,
           coalesce(s.upkeep_retry_at, t.upkeep_retry_at) AS retry_at,
           coalesce((SELECT line FROM provision_lines l WHERE l.run_uuid = r.uuid ORDER BY number DESC LIMIT 1), '') AS last_line
    FROM last r
    LEFT JOIN servers s ON s.uuid = r.subject_uuid
    LEFT JOIN tunnels t ON t.uuid = r.subject_uuid
    WHERE coalesce(s.uuid, t.uuid) IS NOT NULL
    ORDER BY coalesce(s.state, t.state) = 'failed' OR coalesce(s.upkeep_retry_at, t.upkeep_retry_at) IS NOT NULL DESC, r.finished_at DESC LIMIT ${limit}`.execute(
    db,
  )
  return rows
}
