import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type Order, readPage } from '../../db/page.ts'
import type { Schema } from '../../db/schema.ts'
import type { AuditRow } from './audit.store.ts'

export interface AuditFilter {
  userEmail?: string | undefined
  about?: string | undefined
  actor?: string | undefined
  subject?: string | undefined
  action?: string | undefined
  from?: string | undefined
  until?: string | undefined
}

const isEverything = (filter: AuditFilter): boolean => !Object.values(filter).some(Boolean)

const owner = sql<string | null>`detail::jsonb ->> 'userEmail'`
const isAbout = (row: ExpressionBuilder<Schema, 'audit'>, name: string) =>
  row.or([row('actor', '=', name), row('subject', '=', name), row(owner, '=', name)])

const matches =
  ({ userEmail, about, actor, subject, action, from, until }: AuditFilter) =>
  (row: ExpressionBuilder<Schema, 'audit'>) =>
    row.and([
      ...(userEmail ? [isAbout(row, userEmail)] : []),
      ...(about ? [isAbout(row, about)] : []),
      ...(actor ? [row('actor', '=', actor)] : []),
      ...(subject ? [row('subject', '=', subject)] : []),
      ...(action ? [row('action', '=', action)] : []),
      ...(from ? [row('at', '>=', new Date(from))] : []),
      ...(until ? [row('at', '<', new Date(until))] : []),
    ])

/** Sorted by time, which has an index; the number breaks ties. */
const newestFirst: Order<AuditRow> = {
  column: sql`at`,
  kind: 'date',
  isDown: true,
  sortValue: (row) => row.at,
  identity: { column: sql`id`, kind: 'number', of: (row) => row.id },
}

export const listAudit = (
  db: Db,
  filter: AuditFilter,
  page: { cursor?: string | undefined; limit: number },
) => readPage(db.selectFrom('audit').selectAll().where(matches(filter)), newestFirst, page)

/** Line numbers have no gaps, so the last one is the count. */
export async function countAudit(db: Db, filter: AuditFilter): Promise<number> {
  const { total } = await db
    .selectFrom('audit')
    .select((of) => (isEverything(filter) ? of.fn.max<number>('id') : of.fn.countAll<number>()).as('total'))
    .where(matches(filter))
    .executeTakeFirstOrThrow()
  return total
}

/** Skips from action to action by index, because the log is long and the actions are few. */
export async function listActions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    WITH RECURSIVE acts AS (
      SELECT min(action) AS action FROM audit
      UNION ALL SELECT (SELECT min(action) FROM audit WHERE action > acts.action) FROM acts WHERE action IS NOT NULL)
    SELECT action FROM acts WHERE action IS NOT NULL`.execute(db)
  return rows.map(({ action }) => action)
}
