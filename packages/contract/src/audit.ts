import * as z from 'zod/mini'
import { defineCall, list, paging } from './call.ts'
import { rules } from './rules.ts'

export const auditEntry = z.object({
  auditId: z.string(),
  auditDate: z.string(),
  auditActor: z.string(),
  auditAction: z.string(),
  auditSubject: z.string(),
  auditDetail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  auditAddress: z.string(),
})

export const getAudit = defineCall({
  path: '/api/v1/admin/getaudit',
  access: 'admin',
  summary: 'Who did what, newest first; with userEmail only what that user did or had done to them',
  input: { ...paging, userEmail: z.optional(rules.signInEmail) },
  output: list(auditEntry),
})
