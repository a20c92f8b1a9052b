import { randomUUID } from 'node:crypto'
import type { HostKind, RunState } from '@kelid/contract'
import { type Selectable, sql } from 'kysely'
import { type Db, only } from '../../db/database.ts'
import { type Order, pageClauses, pageOf, readPage } from '../../db/page.ts'
import type { ProvisionRunRow } from '../../db/schema.ts'
import { tableOf } from './hosts.store.ts'

interface Host {
  kind: HostKind
  uuid: string
}

type Run = Selectable<ProvisionRunRow>

const runsOf = (db: Db, { kind, uuid }: Host) =>
  db.selectFrom('provision_runs').where('subject', '=', kind).where('subject_uuid', '=', uuid)

/** A cleaning run is independent of its host. */
const setUps = 'set-up' as const

export const closeRuns = (
  tx: Db,
  { kind, uuid }: Host,
  states: readonly RunState[],
  end: RunState,
  now: Date,
): Promise<Pick<Run, 'started_at' | 'state_if_cancelled' | 'keeps_state'>[]> =>
  tx
    .updateTable('provision_runs')
    .set({ state: end, finished_at: now })
    .where('subject', '=', kind)
    .where('subject_uuid', '=', uuid)
    .where('purpose', '=', setUps)
    .where('state', 'in', states)
    .returning(['started_at', 'state_if_cancelled', 'keeps_state'])
    .execute()

const addressOf = (kind: HostKind, uuid: string) =>
  sql<string>`(SELECT ipv4 FROM ${sql.table(tableOf[kind])} WHERE uuid = ${uuid})`

export interface NewRun {
  askedBy: string
  stateIfCancelled?: 'ready' | 'failed' | undefined
  keepsState?: boolean | undefined
  now: Date
}

export async function insertRun(
  tx: Db,
  { kind, uuid: hostUuid }: Host,
  { askedBy, stateIfCancelled = 'failed', keepsState = false, now }: NewRun,
): Promise<string> {
  const uuid = randomUUID()
  await tx
    .insertInto('provision_runs')
    .values({
      uuid,
      subject: kind,
      subject_uuid: hostUuid,
      state: 'queued',
      asked_by: askedBy,
      state_if_cancelled: stateIfCancelled,
      keeps_state: keepsState,
      address: addressOf(kind, hostUuid),
      created_at: now,
      started_at: null,
      finished_at: null,
    })
    .execute()
  return uuid
}

export async function insertCleaning(
  tx: Db,
  { kind, uuid: hostUuid }: Host,
  { uuid, askedBy, lastWords, now }: { uuid: string; askedBy: string; lastWords: Buffer; now: Date },
): Promise<void> {
  const row = {
    uuid,
    subject: kind,
    subject_uuid: hostUuid,
    state: 'queued' as const,
    purpose: 'clean' as const,
  }
  await tx
    .insertInto('provision_runs')
    .values({
      ...row,
      asked_by: askedBy,
      last_words: lastWords,
      address: addressOf(kind, hostUuid),
      created_at: now,
      started_at: null,
      finished_at: null,
    })
    .execute()
}

/** Whether a run ever changed the machine. */
export const wasReached = async (tx: Db, host: Host): Promise<boolean> =>
  (await runsOf(tx, host).select('uuid').where('has_reached', '=', true).limit(1).executeTakeFirst()) !==
  undefined

export const hasOpenRun = async (tx: Db, host: Host): Promise<boolean> =>
  (await runsOf(tx, host)
    .select('uuid')
    .where('purpose', '=', setUps)
    .where('state', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst()) !== undefined

export const findWaiting = (tx: Db, host: Host): Promise<Pick<Run, 'state_if_cancelled'> | undefined> =>
  runsOf(tx, host)
    .select('state_if_cancelled')
    .where('purpose', '=', setUps)
    .where('state', '=', 'queued')
    .executeTakeFirst()

/** Also true for a removed host, whose UUID is never reused. */
export const hasRuns = async (db: Db, hostUuid: string): Promise<boolean> =>
  (await db
    .selectFrom('provision_runs')
    .select('uuid')
    .where('subject_uuid', '=', hostUuid)
    .limit(1)
    .executeTakeFirst()) !== undefined

export function findRun(db: Db, host: Host, uuid?: string): Promise<{ uuid: string } | undefined> {
  const runs = runsOf(db, host).select('uuid')
  const runFilter =
    uuid === undefined
      ? runs.where('purpose', '=', setUps).orderBy('created_at', 'desc').limit(1)
      : runs.where('uuid', '=', uuid)
  return runFilter.executeTakeFirst()
}

export async function logOf(db: Db, runUuid: string): Promise<string> {
  const rows = await db
    .selectFrom('provision_lines')
    .select('line')
    .where('run_uuid', '=', runUuid)
    .orderBy('number')
    .execute()
  return rows.map((row) => row.line).join('\n')
}

const newestFirst: Order<Run> = {
  column: sql`created_at`,
  kind: 'date',
  isDown: true,
  sortValue: (run) => run.created_at,
  identity: { column: sql`uuid`, kind: 'uuid', of: (run) => run.uuid },
}

export async function listRuns(db: Db, host: Host, page: { limit: number; cursor?: string | undefined }) {
  const [rows, { total }] = await Promise.all([
    readPage(runsOf(db, host).selectAll(), newestFirst, page),
    runsOf(db, host).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  return { ...rows, total }
}

export interface MachineRun extends Run {
  name: string
}

/** Runs of earlier versions name no address; they belong to the hosts that are there. */
export async function listRunsAt(
  db: Db,
  ipv4: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const runs = sql`(SELECT run.*, coalesce(server.name, tunnel.name, '') AS name FROM provision_runs run
    LEFT JOIN servers server ON server.uuid = run.subject_uuid LEFT JOIN tunnels tunnel ON tunnel.uuid = run.subject_uuid
    WHERE run.address = ${ipv4} OR run.address IS NULL AND ${ipv4} IN (server.ipv4, tunnel.ipv4)) run`
  const [{ rows }, { total }] = await Promise.all([
    sql<MachineRun>`SELECT * FROM ${runs} WHERE true ${pageClauses(newestFirst, { limit, cursor })}`.execute(
      db,
    ),
    only(db, sql<{ total: number }>`SELECT count(*) AS total FROM ${runs}`),
  ])
  return { ...pageOf(rows, newestFirst, limit), total }
}
