import * as z from 'zod/mini'
import { defineCall, one } from './call.ts'
import { quotaMonth } from './host-calls.ts'
import { hostKinds } from './hosts.ts'

/** Accounts that have not expired; bytes are those of their present periods. */
const sold = {
  /** Accounts with a limit of data. */
  limitedAccounts: z.number(),
  unlimitedAccounts: z.number(),
  soldBytes: z.number(),
  usedBytes: z.number(),
}

export const getDataSold = defineCall({
  path: '/api/v1/admin/getdatasold',
  access: 'admin',
  summary: 'Data that was sold to accounts, and what they have used of it, by host and by plan',
  input: {},
  output: one(
    z.object({
      hostCount: z.number(),
      /** The 200 hosts with the most data sold. An account counts at the server and the tunnel of its first way. */
      dataByHost: z.array(
        z.object({
          subject: z.enum(hostKinds),
          uuid: z.string(),
          name: z.string(),
          ...sold,
          /** All that went through the host in the last 30 days, by accounts without a limit too. */
          carriedBytes: z.number(),
          /** GB of 10^9 bytes; 0: none. */
          quota: z.number(),
          quotaMonth,
        }),
      ),
      /** The plan that an account was last bought or renewed by; null: without a plan. */
      dataByPlan: z.array(z.object({ planName: z.nullable(z.string()), ...sold })),
    }),
  ),
})
