import * as z from 'zod/mini'
import { accountStates } from './accounts.ts'
import { defineCall, one } from './call.ts'
import { hostKinds, hostStates } from './hosts.ts'

const counts = <Key extends string>(keys: readonly Key[]) => z.record(z.enum(keys), z.number())

export const getDashboard = defineCall({
  path: '/api/v1/admin/getdashboard',
  access: 'admin',
  summary: 'The whole business in numbers',
  input: {},
  output: one(
    z.object({
      users: z.number(),
      administrators: z.number(),
      accounts: counts(accountStates),
      servers: counts(hostStates),
      serverCapacity: z.number(),
      serverAccounts: z.number(),
      tunnels: counts(hostStates),
      tunnelCapacity: z.number(),
      tunnelAccounts: z.number(),
      totalCredit: z.number(),
      totalTunnelCredit: z.number(),
      totalDebt: z.number(),
      lastFailures: z.array(
        z.object({
          subject: z.enum(hostKinds),
          uuid: z.string(),
          name: z.string(),
          failedDate: z.string(),
          lastLine: z.string(),
        }),
      ),
      lastExpiryDate: z.nullable(z.string()),
      lastLedgerCheckDate: z.nullable(z.string()),
      ledgerIsSound: z.nullable(z.boolean()),
    }),
  ),
})
