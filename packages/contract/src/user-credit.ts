import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, one, paging } from './call.ts'
import { statementEntry, statementFile } from './credit.ts'
import { userChange, userTarget } from './users.ts'

export const adminStatementEntry = z.object({
  ...statementEntry.shape,
  userEmail: z.string(),
  entryByEmail: z.nullable(z.string()),
})

export const getUserStatement = defineCall({
  path: '/api/v1/admin/getstatement',
  access: 'admin',
  summary: "Anyone's ledger entries, newest first",
  input: { ...paging, userEmail: z.optional(adminRules.signInEmail) },
  output: list(adminStatementEntry),
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const getUserStatementFile = defineCall({
  path: '/api/v1/admin/getstatementfile',
  access: 'admin',
  summary: "Anyone's ledger entries as a CSV file",
  input: { userEmail: z.optional(adminRules.signInEmail) },
  output: one(statementFile),
  refusals: ['RESOURCE_NOT_FOUND'],
})

const adjustment = <Amount extends z.ZodMiniType, Balance extends z.ZodMiniType>(
  amount: Amount,
  balance: Balance,
) => ({
  amount,
  reason: adminRules.reason,
  basedOn: z.optional(balance),
})
const adjustmentRefusals = ['RESOURCE_NOT_FOUND', 'BALANCE_TOO_LARGE', 'CHANGED_MEANWHILE'] as const

export const adjustUserCredit = defineCall({
  ...userChange,
  path: '/api/v1/admin/adjustusercredit',
  summary: 'Add or remove points',
  input: { ...userTarget, ...adjustment(adminRules.points, adminRules.balance) },
  refusals: ['INSUFFICIENT_CREDIT', ...adjustmentRefusals],
  idempotent: true,
})

export const adjustUserTunnelCredit = defineCall({
  ...userChange,
  path: '/api/v1/admin/adjustusertunnelcredit',
  summary: 'Add or remove tunnel credit',
  input: { ...userTarget, ...adjustment(adminRules.points, adminRules.balance) },
  refusals: ['INSUFFICIENT_TUNNEL_CREDIT', ...adjustmentRefusals],
  idempotent: true,
})

export const adjustUserDebt = defineCall({
  ...userChange,
  path: '/api/v1/admin/adjustuserdebt',
  summary: 'Raise or lower the debt, in dollars',
  input: { ...userTarget, ...adjustment(adminRules.dollars, adminRules.dollarBalance) },
  refusals: ['DEBT_TOO_SMALL', ...adjustmentRefusals],
  idempotent: true,
})

export const setUserRate = defineCall({
  ...userChange,
  path: '/api/v1/admin/setuserrate',
  summary: 'Set a points-per-dollar rate for one user, or null for the default',
  input: {
    ...userTarget,
    userCustomCreditRate: z.nullable(adminRules.rate),
    basedOn: z.optional(z.nullable(adminRules.rate)),
  },
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const setUserDebtLimit = defineCall({
  ...userChange,
  path: '/api/v1/admin/setuserdebtlimit',
  summary: "Set a user's debt limit, in dollars",
  input: { ...userTarget, value: adminRules.dollarLimit, basedOn: z.optional(adminRules.dollarLimit) },
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE'],
})
