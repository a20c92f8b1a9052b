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

/**
 * Which lines: userEmail is who did it, had it done to them, or owned the account that it was done to; `about` is the same of
 * anything that the log names. `from` is part of the time, `until` is not.
 */
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
  summary: 'Who did what as a CSV file, newest first',
  input: auditFilter,
  output: one(statementFile),
})

export const getAuditSummary = defineCall({
  path: '/api/v1/admin/getauditsummary',
  access: 'admin',
  summary: 'How long the audit log is, which acts it knows, and whether its chain is sound',
  input: {},
  output: one(
    z.object({
      auditLines: z.number(),
      auditActions: z.array(z.string()),
      /** By the last check of the whole log and by the mark of its end as it is now; null before the first check. */
      auditIsSound: z.nullable(z.boolean()),
      auditCheckedDate: z.nullable(z.string()),
      /** The line that the last check came to. */
      auditCheckedLine: z.nullable(z.number()),
      /** The first line that does not follow from the one before it. */
      auditBrokenLine: z.nullable(z.number()),
      /** false when lines are missing at its end, or the mark of the end is not this installation's. */
      auditEndIsSound: z.boolean(),
    }),
  ),
})

export const checkAudit = defineCall({
  path: '/api/v1/admin/checkaudit',
  access: 'admin',
  summary: 'Have the whole audit log checked now; getauditsummary tells the outcome',
  input: {},
  output: nothing,
  message: 'The check is queued',
})
