import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, one, paging } from './call.ts'
import { limits } from './limits.ts'

export const userSorts = ['userEmail', '-userCredit', '-userDebt', '-userCreatedDate'] as const
export type UserSort = (typeof userSorts)[number]

export const user = z.object({
  userEmail: z.string(),
  userPhone: z.nullable(z.string()),
  userLevel: z.number(),
  userCredit: z.number(),
  userCreditDollars: z.number(),
  userTunnelCredit: z.number(),
  userDebt: z.number(),
  userDebtLimit: z.number(),
  userCreditRate: z.number(),
  userCustomCreditRate: z.nullable(z.number()),
  userCreatedDate: z.string(),
  accounts: z.number(),
})
export type User = z.output<typeof user>

export const getUsers = defineCall({
  path: '/api/v1/admin/getusers',
  access: 'admin',
  summary: 'Users, a page at a time',
  input: {
    ...paging,
    search: z.optional(adminRules.search),
    sort: z.optional(z.enum(userSorts, 'choice')),
  },
  output: list(user),
})

/** What the calls by which an administrator changes a user have in common. */
export const userChange = { access: 'admin', output: one(user), message: 'User changed' } as const
export const userTarget = { userEmail: adminRules.signInEmail }

export const setUserLevel = defineCall({
  ...userChange,
  path: '/api/v1/admin/setuserlevel',
  summary: `Set a user's level; above ${limits.adminLevelAbove} is an administrator. Their sessions end`,
  input: { ...userTarget, value: adminRules.level },
  refusals: ['RESOURCE_NOT_FOUND', 'LAST_ADMIN'],
})

export const setUserPhone = defineCall({
  ...userChange,
  path: '/api/v1/admin/setuserphone',
  summary: 'Set the phone a user may sign in with by SMS, or null for none',
  input: { ...userTarget, userPhone: z.nullable(adminRules.phone) },
  refusals: ['RESOURCE_NOT_FOUND', 'PHONE_TAKEN'],
})
