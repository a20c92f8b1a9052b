import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

export type AuditRow = Schema['audit']

export interface AuditEnd {
  readonly line: number
  readonly hash: Buffer
  readonly mac: Buffer | null
}

export interface LastLine {
  readonly id: number
  readonly hash: Buffer
}

/** Serialises appends to the chain; the last lock in the lock order. */
export const lockEnd = (tx: Db): Promise<AuditEnd> =>
  tx.selectFrom('audit_end').select(['line', 'hash', 'mac']).forUpdate().executeTakeFirstOrThrow()

export async function appendAudit(tx: Db, row: AuditRow, mac: Buffer | null): Promise<void> {
  await tx
    .with('added', (with_) => with_.insertInto('audit').values(row))
    .updateTable('audit_end')
    .set({ line: row.id, hash: row.hash, mac })
    .execute()
}

export async function insertEnd(tx: Db, end: AuditEnd): Promise<void> {
  await tx
    .insertInto('audit_end')
    .values({ id: 1, ...end })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(end))
    .execute()
}

export async function readEnd(db: Db): Promise<{ end: AuditEnd | undefined; last: LastLine | undefined }> {
  const { rows } = await sql<{
    line: number | null
    end_hash: Buffer
    mac: Buffer | null
    id: number | null
    hash: Buffer
  }>`
    SELECT audit_end.line, audit_end.hash AS end_hash, audit_end.mac, last.id, last.hash
    FROM (SELECT 1) one LEFT JOIN audit_end ON true
    LEFT JOIN (SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1) last ON true`.execute(db)
  const [row] = rows
  return {
    end: typeof row?.line === 'number' ? { line: row.line, hash: row.end_hash, mac: row.mac } : undefined,
    last: typeof row?.id === 'number' ? { id: row.id, hash: row.hash } : undefined,
  }
}

export const hasAction = async (db: Db, action: string): Promise<boolean> =>
  (await db.selectFrom('audit').select('id').where('action', '=', action).executeTakeFirst()) !== undefined

export const hasUsers = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined

export const auditAfter = (db: Db, id: number, limit: number): Promise<AuditRow[]> =>
  db.selectFrom('audit').selectAll().where('id', '>', id).orderBy('id').limit(limit).execute()
