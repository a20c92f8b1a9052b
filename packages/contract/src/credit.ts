import * as z from 'zod/mini'
import { renewals } from './accounts.ts'
import { beyondSpec } from './beyond-spec.ts'
import { defineCall, list, one, paging } from './call.ts'
import { vpnTypes } from './vpn-catalogue.ts'

export const getUserCredit = defineCall({
  path: '/api/v1/auth/getusercreditbytoken',
  access: 'user',
  summary: 'Own credit and tunnel credit',
  input: {},
  output: one(
    z.object({
      userCredit: z.number(),
      userCreditDollars: z.number(),
      userTunnelCredit: z.number(),
      ...beyondSpec({
        userCreditRate: z.number(),
        renewal: z.enum(renewals),
      }),
    }),
  ),
})

export const getUserDebt = defineCall({
  path: '/api/v1/auth/getuserdebtbytoken',
  access: 'user',
  summary: 'Own debt in dollars, its limit and what is left of it',
  input: {},
  output: one(
    z.object({
      userDebt: z.number(),
      ...beyondSpec({ userDebtLimit: z.number(), userDebtLeft: z.number() }),
    }),
  ),
})

export const units = ['points', 'tunnelCredit', 'dollars'] as const
export type Unit = (typeof units)[number]

export const movements = ['create', 'renew', 'data', 'debt', 'adjustment'] as const
export type Movement = (typeof movements)[number]

/** Amounts are signed; dollars have two decimals, other units none. */
export const statementEntry = z.object({
  entryId: z.string(),
  entryDate: z.string(),
  entryMovement: z.enum(movements),
  entryUnit: z.enum(units),
  entryAmount: z.number(),
  entryBalance: z.number(),
  /** An administrator's text, or the server's in English. */
  entryReason: z.string(),
  /** Allows clients to translate a purchase; null for other movements. */
  entryDays: z.nullable(z.number()),
  entryVPNType: z.nullable(z.enum(vpnTypes)),
  /** Chosen beside the first way. */
  entryWays: z.nullable(z.number()),
  entryGigabytes: z.nullable(z.number()),
  /** Above the default. */
  entryDevices: z.nullable(z.number()),
  /** Of a purchase by plan: its name as it was then, in the language of the request. */
  entryPlan: z.nullable(z.string()),
  entryBy: z.enum(['user', 'administrator', 'system']),
  accountUUID: z.nullable(z.string()),
  accountName: z.nullable(z.string()),
})

/** `isComplete` is false if the ledger exceeds one file, which then has the newest entries. */
export const statementFile = z.object({ fileName: z.string(), csv: z.string(), isComplete: z.boolean() })

export const getStatement = defineCall({
  path: '/api/v1/auth/getstatement',
  access: 'user',
  summary: 'Own ledger entries, newest first',
  input: { ...paging },
  output: list(statementEntry),
})

export const getStatementFile = defineCall({
  path: '/api/v1/auth/getstatementfile',
  access: 'user',
  summary: 'Own ledger entries as a CSV file',
  input: {},
  output: one(statementFile),
})
