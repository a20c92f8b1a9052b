import { limits } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { csvLines, csvStart } from '../../lib/csv.ts'
import type { AuditRow } from './audit.store.ts'
import { type AuditFilter, countAudit, listAudit as readAudit } from './audit-list.store.ts'
import type { Detail } from './chain.ts'

interface Page extends AuditFilter {
  limit?: number | undefined
  cursor?: string | undefined
}

const toLine = (row: AuditRow) => ({
  auditId: String(row.id),
  auditDate: row.at.toISOString(),
  auditActor: row.actor,
  auditAction: row.action,
  auditSubject: row.subject,
  auditDetail: row.detail,
  auditAddress: row.address,
})

const toEntry = (row: AuditRow) => ({ ...toLine(row), auditDetail: JSON.parse(row.detail) as Detail })

export async function listAudit(ctx: Context, { limit = 50, cursor, ...filter }: Page) {
  const { rows, nextCursor } = await readAudit(ctx.db, filter, { limit, cursor })
  return {
    items: rows.map(toEntry),
    total: cursor || nextCursor ? await countAudit(ctx.db, filter) : rows.length,
    nextCursor,
  }
}

const columns = [
  'auditId',
  'auditDate',
  'auditActor',
  'auditAction',
  'auditSubject',
  'auditDetail',
  'auditAddress',
]
const pieceRows = 1_000

export async function auditFile(ctx: Context, filter: AuditFilter) {
  let csv = csvStart + csvLines([columns])
  let cursor: string | null | undefined
  for (let rowCount = 0; cursor !== null && rowCount < limits.statementCsvRows; rowCount += pieceRows) {
    const page = await readAudit(ctx.db, filter, { limit: pieceRows, cursor })
    csv += csvLines(page.rows.map((row) => Object.values(toLine(row))))
    cursor = page.nextCursor
  }
  return {
    fileName: `audit-${ctx.clock.now().toISOString().slice(0, 10)}.csv`,
    csv,
    isComplete: cursor === null,
  }
}
