import { createHash } from 'node:crypto'
import type { Context, Db } from '../../context.ts'
import type { Seal } from '../../lib/seal.ts'
import type { AuditEnd, LastLine } from './audit.store.ts'
import * as store from './audit.store.ts'

export const macOf = (seal: Seal, { line, hash }: Omit<AuditEnd, 'mac'>): Buffer =>
  seal.fingerprint('audit end', `${line} ${hash.toString('hex')}`)

export const isOurs = (seal: Seal, end: AuditEnd): boolean =>
  end.mac !== null && macOf(seal, end).equals(end.mac)

export function faultOfEnd(
  seal: Seal,
  { end, last }: { end: AuditEnd | undefined; last: LastLine | undefined },
): string | null {
  if (!end || !isOurs(seal, end)) return 'the mark of its end is not what this installation wrote'
  if (last?.id === end.line && last.hash.equals(end.hash)) return null
  return `${end.line} lines were written, and it ends with line ${last?.id ?? 0}`
}

export type Detail = Record<string, string | number | boolean | null>

export interface Actor {
  readonly email: string
  readonly address: string
  /** Throws if the caller has lost the permission meanwhile; the program itself always may. */
  readonly confirm?: (tx: Db) => Promise<void>
}

export const productActor: Actor = { email: 'the product', address: '' }

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

/** Call it last: it locks the chain. Acts are serialised here, so `confirm` sees a demotion by the previous act. */
export async function record(
  ctx: Pick<Context, 'clock' | 'seal'>,
  tx: Db,
  by: Actor,
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
  // After an invalid end no MAC is written, because a new line must not hide manipulation of the last one.
  const mac = isOurs(ctx.seal, end) ? macOf(ctx.seal, { line: row.id, hash }) : null
  await store.appendAudit(tx, { ...row, hash }, mac)
}

const anchorAction = 'anchoraudit'

/** Marks the end of a log without a mark. A lost mark is replaced only if the operator accepts the log as it is. */
export async function anchorAudit(
  ctx: Pick<Context, 'clock' | 'seal'>,
  db: Db,
  { isTrusted = false } = {},
): Promise<void> {
  const auditEnd = await store.readEnd(db)
  if (!faultOfEnd(ctx.seal, auditEnd)) return
  const { end, last } = auditEnd
  const wasAnchored = end?.mac || (last ? await store.hasAction(db, anchorAction) : await store.hasUsers(db))
  const mayAnchor = isTrusted || !wasAnchored
  const now = { line: last?.id ?? 0, hash: last?.hash ?? start }
  if (!end || mayAnchor) await store.insertEnd(db, { ...now, mac: mayAnchor ? macOf(ctx.seal, now) : null })
  const by = isTrusted ? 'command line' : 'start'
  if (mayAnchor) await record(ctx, db, { email: by, address: '' }, anchorAction, 'audit', { line: now.line })
}

export async function findAuditFaults(seal: Context['seal'], db: Db): Promise<string[]> {
  const fault = faultOfEnd(seal, await store.readEnd(db))
  const brokenLine = await findBrokenAudit(db)
  return [
    ...(brokenLine === null ? [] : [`line ${brokenLine} does not follow from the one before it`]),
    ...(fault ? [fault] : []),
  ]
}

export const findBrokenAudit = async (db: Db): Promise<number | null> => (await walkAudit(db)).broken

/** Reads up to the first broken line, without blocking other readers and writers. */
export async function walkAudit(db: Db): Promise<{ line: number; broken: number | null }> {
  let previous: Buffer = start
  let line = 0
  for (;;) {
    const rows = await store.auditAfter(db, line, batch)
    for (const row of rows) {
      if (row.id !== line + 1 || !row.previous.equals(previous) || !hashOfRow(row).equals(row.hash))
        return { line, broken: row.id }
      previous = row.hash
      line = row.id
    }
    if (rows.length < batch) return { line, broken: null }
  }
}
