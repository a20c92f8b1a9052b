import * as z from 'zod/mini'
import { accountActivity, accountAppliedStates, accountTarget, traffic } from './accounts.ts'
import { defineCall, one } from './call.ts'

export const accountUsage = z.object({
  accountUUID: z.string(),
  ...accountActivity,
  /** The last 30 UTC days, oldest first; the last one is today. */
  usageByDay: z.array(z.object({ day: z.string(), ...traffic })),
  accountApplied: z.enum(accountAppliedStates),
  /** How long the node took to apply the last change, in milliseconds; null while it is pending. */
  accountAppliedMs: z.nullable(z.number()),
})
export type AccountUsage = z.output<typeof accountUsage>

export const getUsage = defineCall({
  path: '/api/v1/accounts/getusage',
  access: 'user',
  summary: 'Usage and last activity of one of your accounts',
  input: accountTarget,
  output: one(accountUsage),
  refusals: ['RESOURCE_NOT_FOUND'],
})
