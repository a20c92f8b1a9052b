import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, nothing, one } from './call.ts'

const target = { hostUUID: adminRules.uuid }

/** An address that is blocked concerns all services of the machine; a protocol that is blocked only one. */
const wholeMachine = z.optional(adminRules.boolean)

export const replacementReasons = ['blocked', 'down'] as const
export type ReplacementReason = (typeof replacementReasons)[number]

const replacement = z.object({
  reason: z.enum(replacementReasons),
  startedDate: z.string(),
  /** E-mail of the administrator; '' for the product itself. */
  startedBy: z.string(),
  moved: z.number(),
  /** Had no other place when they were last looked at. */
  stuck: z.number(),
  finishedDate: z.nullable(z.string()),
})

export const getReplacement = defineCall({
  path: '/api/v1/hosts/getreplacement',
  access: 'admin',
  summary: 'What replacing a host would do now, and the latest replacement',
  input: { ...target, wholeMachine },
  output: one(
    z.object({
      /** Ways of accounts that lead through the host, or through any of its machine. */
      ways: z.number(),
      /** How many of them have a place elsewhere now, and how many of these only in another country. */
      placed: z.number(),
      elsewhere: z.number(),
      latest: z.nullable(replacement),
    }),
  ),
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const replaceHost = defineCall({
  path: '/api/v1/hosts/replace',
  access: 'admin',
  summary:
    'The host is blocked: it takes no new accounts, and its accounts get other hosts, some each minute; subscription links stay',
  input: { ...target, wholeMachine, reason: adminRules.reason },
  output: nothing,
  message: 'Replacement begun',
  refusals: ['RESOURCE_NOT_FOUND', 'BEING_REPLACED'],
})

export const stopReplacing = defineCall({
  path: '/api/v1/hosts/stopreplacing',
  access: 'admin',
  summary: 'Leave the remaining accounts where they are',
  input: target,
  output: nothing,
  message: 'Replacement stopped',
  refusals: ['RESOURCE_NOT_FOUND', 'NOTHING_RUNS'],
})
