import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, one, paging } from './call.ts'
import { statementEntry, statementFile } from './credit.ts'
import { userChange, userTarget } from './users.ts'

export const adminStatementEntry = z.extend(statementEntry, {
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

export const adjustUserCredit = defineCall({
  ...userChange,
  path: '/api/v1/admin/adjustusercredit',
  summary: 'Give or take points',
  input: { ...userTarget, amount: adminRules.points, reason: adminRules.reason },
  refusals: ['RESOURCE_NOT_FOUND', 'INSUFFICIENT_CREDIT', 'BALANCE_TOO_LARGE'],
})

export const adjustUserTunnelCredit = defineCall({
  ...userChange,
  path: '/api/v1/admin/adjustusertunnelcredit',
  summary: 'Give or take tunnel credit',
  input: { ...userTarget, amount: adminRules.points, reason: adminRules.reason },
  refusals: ['RESOURCE_NOT_FOUND', 'INSUFFICIENT_TUNNEL_CREDIT', 'BALANCE_TOO_LARGE'],
})

export const adjustUserDebt = defineCall({
  ...userChange,
  path: '/api/v1/admin/adjustuserdebt',
  summary: 'Raise or lower the debt, in dollars',
  input: { ...userTarget, amount: adminRules.dollars, reason: adminRules.reason },
  refusals: ['RESOURCE_NOT_FOUND', 'DEBT_TOO_SMALL', 'BALANCE_TOO_LARGE'],
})

export const setUserRate = defineCall({
  ...userChange,
  path: '/api/v1/admin/setuserrate',
  summary: 'Give a user a points-per-dollar rate of their own, or null for the default',
  input: { ...userTarget, userCustomCreditRate: z.nullable(adminRules.rate) },
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const setUserDebtLimit = defineCall({
  ...userChange,
  path: '/api/v1/admin/setuserdebtlimit',
  summary: 'How much debt a purchase may lead to, in dollars',
  input: { ...userTarget, value: adminRules.dollarLimit },
  refusals: ['RESOURCE_NOT_FOUND'],
})
