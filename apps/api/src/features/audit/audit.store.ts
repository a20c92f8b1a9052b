import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

export type AuditRow = Schema['audit']

/** The chain has one end, so whoever appends waits for the one before; taken last of all locks. */
const auditLock = 0x61756474

export async function lastAudit(tx: Db): Promise<{ id: number; hash: Buffer } | undefined> {
  await sql`SELECT pg_advisory_xact_lock(${auditLock})`.execute(tx)
  return tx.selectFrom('audit').select(['id', 'hash']).orderBy('id', 'desc').limit(1).executeTakeFirst()
}

export async function insertAudit(tx: Db, row: AuditRow): Promise<void> {
  await tx.insertInto('audit').values(row).execute()
}

/** What somebody did or what was done to them; without a name, everything. */
const about = (who: string | undefined) => (row: ExpressionBuilder<Schema, 'audit'>) =>
  row.or(who === undefined ? [row.lit(true)] : [row('actor', '=', who), row('subject', '=', who)])

export function listAudit(
  db: Db,
  { limit, before, who }: { limit: number; before?: number | undefined; who?: string | undefined },
): Promise<AuditRow[]> {
  let query = db.selectFrom('audit').selectAll().where(about(who)).orderBy('id', 'desc').limit(limit)
  if (before !== undefined) query = query.where('id', '<', before)
  return query.execute()
}

export async function countAudit(db: Db, who: string | undefined): Promise<number> {
  const { total } = await db
    .selectFrom('audit')
    .select((of) => of.fn.countAll<number>().as('total'))
    .where(about(who))
    .executeTakeFirstOrThrow()
  return total
}

export const auditAfter = (db: Db, id: number, limit: number): Promise<AuditRow[]> =>
  db.selectFrom('audit').selectAll().where('id', '>', id).orderBy('id').limit(limit).execute()
