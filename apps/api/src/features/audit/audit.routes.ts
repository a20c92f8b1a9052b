import { checkAudit, getAudit, getAuditFile, getAuditSummary } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { auditFile, listAudit } from './audit-list.ts'
import { askForCheck, auditSummary } from './check.ts'

export const auditRoutes = [
  bind(getAudit, ({ ctx, input }) => listAudit(ctx, input)),
  bind(getAuditFile, ({ ctx, input }) => auditFile(ctx, input)),
  bind(getAuditSummary, ({ ctx }) => auditSummary(ctx)),
  bind(checkAudit, ({ ctx, by }) => askForCheck(ctx, by)),
]
