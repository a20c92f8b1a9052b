import type { Context, Db } from '../../context.ts'
import { type Mark, readMarks } from '../../jobs/marks.store.ts'
import { readEnd } from './audit.store.ts'
import { listActions } from './audit-list.store.ts'
import { type Actor, faultOfEnd, record, walkAudit } from './chain.ts'

export async function checkAuditNow(ctx: Context): Promise<Record<string, number>> {
  const { line, broken } = await walkAudit(ctx.db)
  const fault = faultOfEnd(ctx.seal, await readEnd(ctx.db))
  if (broken !== null) ctx.log.error({ line: broken }, 'the audit log is broken')
  if (fault) ctx.log.error({ fault }, 'the end of the audit log does not match its mark')
  return { lines: line, brokenLine: broken ?? 0, findings: (broken === null ? 0 : 1) + (fault ? 1 : 0) }
}

const judge = (mark: Mark | undefined, isEndSound: boolean): boolean | null => {
  if (!isEndSound) return false
  return mark ? mark.outcome.findings === 0 : null
}

export async function isAuditSound(ctx: Context, marks: ReadonlyMap<string, Mark>): Promise<boolean | null> {
  return judge(marks.get('audit'), faultOfEnd(ctx.seal, await readEnd(ctx.db)) === null)
}

export async function auditSummary(ctx: Context) {
  const [found, marks, auditActions] = await Promise.all([
    readEnd(ctx.db),
    readMarks(ctx.db),
    listActions(ctx.db),
  ])
  const mark = marks.get('audit')
  const auditEndIsSound = faultOfEnd(ctx.seal, found) === null
  return {
    auditLines: found.last?.id ?? 0,
    auditActions,
    auditIsSound: judge(mark, auditEndIsSound),
    auditCheckedDate: mark?.succeededAt.toISOString() ?? null,
    auditCheckedLine: mark?.outcome.lines ?? null,
    auditBrokenLine: mark?.outcome.brokenLine || null,
    auditEndIsSound,
  }
}

export const askForCheck = (ctx: Context, by: Actor): Promise<void> =>
  ctx.atomically(async (tx: Db) => {
    await ctx.jobs.send(tx, 'audit', {})
    await record(ctx, tx, by, 'checkaudit', 'audit')
  })
