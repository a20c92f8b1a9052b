import { getAudit } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { listAudit } from './audit.ts'

export const auditRoutes = [bind(getAudit, ({ ctx, input }) => listAudit(ctx, input))]
