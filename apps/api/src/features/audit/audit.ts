import { createHash } from 'node:crypto'
import type { Context, Db } from '../../context.ts'
import { fromCursor, toCursor } from '../../lib/cursor.ts'
import * as store from './audit.store.ts'
import { faultOfEnd, isOurs, macOf } from './audit-end.ts'

export { faultOfEnd } from './audit-end.ts'

export type Detail = Record<string, string | number | boolean | null>

/** Who did it, from where: a user's e-mail, or the name of the part of the program. */
export interface By {
  readonly email: string
  readonly address: string
  /** Throws when whoever asked for it may do so no longer. The program itself always may. */
  readonly confirm?: (tx: Db) => Promise<void>
}

const start = Buffer.alloc(32)
const batch = 1_000

const hashOfRow = (row: Omit<store.AuditRow, 'hash'>): Buffer =>
  createHash('sha256')
    .update(row.previous)
    .update(
      JSON.stringify([
        row.id,
        row.at.toISOString(),
        row.actor,
        row.action,
        row.subject,
        row.detail,
        row.address,
      ]),
    )
    .digest()

/**
 * Written in the transaction of the deed itself: both happen or neither. Call it last, it holds the chain's lock. Deeds
 * happen one after the other here, so whoever was demoted by the one before does this one no more.
 */
export async function record(
  ctx: Pick<Context, 'clock' | 'seal'>,
  tx: Db,
  by: By,
  action: string,
  subject: string,
  detail: Detail = {},
): Promise<void> {
  const end = await store.lockEnd(tx)
  await by.confirm?.(tx)
  const row = {
    id: end.line + 1,
    at: ctx.clock.now(),
    actor: by.email,
    action,
    subject,
    detail: JSON.stringify(detail),
    address: by.address,
    previous: end.hash,
  }
  const hash = hashOfRow(row)
  // After an end that is not ours none is written: the next line must not make good what somebody did to the last.
  const mac = isOurs(ctx.seal, end) ? macOf(ctx.seal, { line: row.id, hash }) : null
  await store.appendAudit(tx, { ...row, hash }, mac)
}

const anchored = 'anchoraudit'

/**
 * Marks the end of a log that never had a mark: an empty one at the first start, or one of an earlier release. A mark
 * that was there and is gone is not made again, unless the operator answers for the log as it is.
 */
export async function anchorAudit(
  ctx: Pick<Context, 'clock' | 'seal'>,
  db: Db,
  { isTrusted = false } = {},
): Promise<void> {
  const found = await store.readEnd(db)
  if (!faultOfEnd(ctx.seal, found)) return
  const { end, last } = found
  const wasAnchored = end?.mac || (last ? await store.hasAction(db, anchored) : await store.hasUsers(db))
  const mayAnchor = isTrusted || !wasAnchored
  const now = { line: last?.id ?? 0, hash: last?.hash ?? start }
  if (!end || mayAnchor) await store.insertEnd(db, { ...now, mac: mayAnchor ? macOf(ctx.seal, now) : null })
  const by = isTrusted ? 'command line' : 'start'
  if (mayAnchor) await record(ctx, db, { email: by, address: '' }, anchored, 'audit', { line: now.line })
}

/** Everything that is wrong with the log, in sentences. */
export async function findAuditFaults(seal: Context['seal'], db: Db): Promise<string[]> {
  const fault = faultOfEnd(seal, await store.readEnd(db))
  const broken = await findBrokenAudit(db)
  return [
    ...(broken === null ? [] : [`line ${broken} does not follow from the one before it`]),
    ...(fault ? [fault] : []),
  ]
}

export async function listAudit(
  ctx: Context,
  {
    limit = 50,
    cursor,
    userEmail,
  }: { limit?: number | undefined; cursor?: string | undefined; userEmail?: string | undefined },
) {
  const before = cursor === undefined ? undefined : fromCursor(cursor, ['number'])[0]
  const rows = await store.listAudit(ctx.db, { limit: limit + 1, before, who: userEmail })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    items: shown.map((row) => ({
      auditId: String(row.id),
      auditDate: row.at.toISOString(),
      auditActor: row.actor,
      auditAction: row.action,
      auditSubject: row.subject,
      auditDetail: JSON.parse(row.detail) as Detail,
      auditAddress: row.address,
    })),
    total: cursor || last ? await store.countAudit(ctx.db, userEmail) : shown.length,
    nextCursor: last ? toCursor(last.id) : null,
  }
}

/** The number of the first row that does not follow from the one before it; null when the chain is whole. */
export async function findBrokenAudit(db: Db): Promise<number | null> {
  let previous: Buffer = start
  let id = 0
  for (;;) {
    const rows = await store.auditAfter(db, id, batch)
    for (const row of rows) {
      if (row.id !== id + 1 || !row.previous.equals(previous) || !hashOfRow(row).equals(row.hash))
        return row.id
      previous = row.hash
      id = row.id
    }
    if (rows.length < batch) return null
  }
}
