import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, nothing, one } from './call.ts'
import { replacementReasons } from './host-calls.ts'
import { rules } from './rules.ts'

const target = { hostUUID: adminRules.uuid }

/** An address that is blocked concerns all services of the machine; a protocol that is blocked only one. */
const wholeMachine = z.optional(adminRules.boolean)

/** None: blocked for everybody. Otherwise only accounts concern it that state all of it. */
const blockedFor = {
  accountTargetCountry: z.optional(rules.target),
  accountTargetOperator: z.optional(rules.target),
  /** Also accounts that do not state the country or the operator. */
  alsoUnstated: z.optional(adminRules.boolean),
}

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

const blockTarget = { accountTargetCountry: z.string(), accountTargetOperator: z.string() }

const block = z.object({
  ...blockTarget,
  alsoUnstated: z.boolean(),
  sinceDate: z.string(),
  /** E-mail of the administrator. */
  blockedBy: z.string(),
})
export type HostBlock = z.output<typeof block>

export const getReplacement = defineCall({
  path: '/api/v1/hosts/getreplacement',
  access: 'admin',
  summary: 'What replacing a host would do now, and the latest replacement',
  input: { ...target, wholeMachine, ...blockedFor },
  output: one(
    z.object({
      /** Ways of the accounts concerned that lead through the host, or through any of its machine. */
      ways: z.number(),
      /** Further ways of accounts that do not state the country or the operator. */
      unstated: z.optional(z.number()),
      /** How many of them have a place elsewhere now, and how many of these only in another country. */
      placed: z.number(),
      elsewhere: z.number(),
      /** Of all accounts. */
      latest: z.nullable(replacement),
      /** Of the accounts for which the host is blocked. */
      latestOfBlocks: z.optional(z.nullable(replacement)),
      blocks: z.optional(z.array(block)),
      /** What accounts of this host state, the most frequent first. */
      targets: z.optional(z.array(z.object({ ...blockTarget, ways: z.number() }))),
    }),
  ),
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const replaceHost = defineCall({
  path: '/api/v1/hosts/replace',
  access: 'admin',
  summary:
    'The host is blocked, for everybody or for customers of a country or an operator: it takes no new accounts of them, and those that it has get other hosts, some each minute; subscription links stay',
  input: { ...target, wholeMachine, ...blockedFor, reason: adminRules.reason },
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

export const endBlock = defineCall({
  path: '/api/v1/hosts/endblock',
  access: 'admin',
  summary:
    'The host is no longer blocked for customers of this country and operator; accounts that have moved stay',
  input: {
    ...target,
    accountTargetCountry: z.optional(rules.target),
    accountTargetOperator: z.optional(rules.target),
  },
  output: nothing,
  message: 'Block ended',
  refusals: ['RESOURCE_NOT_FOUND', 'NOTHING_RUNS'],
})
