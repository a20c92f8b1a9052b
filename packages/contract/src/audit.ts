import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, nothing, one, paging } from './call.ts'
import { statementFile } from './credit.ts'
import { named } from './envelope.ts'

export const auditEntry = z.object({
  auditId: z.string(),
  auditDate: z.string(),
  auditActor: z.string(),
  auditAction: z.string(),
  auditSubject: z.string(),
  auditDetail: named(z.nullable(z.union([z.string(), z.number(), z.boolean()]))),
  auditAddress: z.string(),
})
export type AuditEntry = z.output<typeof auditEntry>

/** userEmail matches actor, target and the target account's owner; `about` any name. `until` is exclusive. */
const auditFilter = {
  userEmail: z.optional(adminRules.signInEmail),
  about: z.optional(adminRules.auditName),
  actor: z.optional(adminRules.auditName),
  subject: z.optional(adminRules.auditName),
  action: z.optional(adminRules.auditAction),
  from: z.optional(adminRules.dayOrInstant),
  until: z.optional(adminRules.dayOrInstant),
}

export const getAudit = defineCall({
  path: '/api/v1/admin/getaudit',
  access: 'admin',
  summary:
    'Who did what, newest first; with userEmail only what that user did or had done to them or their accounts',
  input: { ...paging, ...auditFilter },
  output: list(auditEntry),
})

export const getAuditFile = defineCall({
  path: '/api/v1/admin/getauditfile',
  access: 'admin',
  summary: 'The audit log as a CSV file, newest first',
  input: auditFilter,
  output: one(statementFile),
})

export const getAuditSummary = defineCall({
  path: '/api/v1/admin/getauditsummary',
  access: 'admin',
  summary: 'Length, actions and integrity of the audit log',
  input: {},
  output: one(
    z.object({
      auditLines: z.number(),
      auditActions: z.array(z.string()),
      /** Combines the last complete check and the current mark of the end; null before the first check. */
      auditIsSound: z.nullable(z.boolean()),
      auditCheckedDate: z.nullable(z.string()),
      auditCheckedLine: z.nullable(z.number()),
      auditBrokenLine: z.nullable(z.number()),
      /** false if lines are missing at the end, or its mark is not this installation's. */
      auditEndIsSound: z.boolean(),
    }),
  ),
})

export const checkAudit = defineCall({
  path: '/api/v1/admin/checkaudit',
  access: 'admin',
  summary: 'Queue a check of the whole audit log; getauditsummary returns the result',
  input: {},
  output: nothing,
  message: 'The check is queued',
})
