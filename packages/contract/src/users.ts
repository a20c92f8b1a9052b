import * as z from 'zod/mini'
import { accountFilters } from './accounts.ts'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, one, paging } from './call.ts'
import { counts } from './counts.ts'
import { limits } from './limits.ts'

export const userSorts = [
  'userEmail',
  '-userCredit',
  '-userTunnelCredit',
  '-userDebt',
  'userDebtSince',
  '-userCreatedDate',
] as const
export type UserSort = (typeof userSorts)[number]

/** Age of a debt: under 7, 30 or 90 days, or older. */
export const debtAges = ['week', 'month', 'quarter', 'older'] as const
export type DebtAge = (typeof debtAges)[number]

export const userFilters = ['debtors', 'suspended', 'admins', 'customRate'] as const
export const debtFilters = debtAges.map((age) => `debt-${age}` as const)
export type UserFilter = (typeof userFilters)[number] | (typeof debtFilters)[number]

export const user = z.object({
  userEmail: z.string(),
  userPhone: z.nullable(z.string()),
  userLevel: z.number(),
  userCredit: z.number(),
  userCreditDollars: z.number(),
  userTunnelCredit: z.number(),
  userDebt: z.number(),
  userDebtLimit: z.number(),
  /** Start of the uninterrupted debt; null without one. */
  userDebtSince: z.nullable(z.string()),
  userCreditRate: z.number(),
  userCustomCreditRate: z.nullable(z.number()),
  userCreatedDate: z.string(),
  userSuspended: z.boolean(),
  accounts: z.number(),
})
export type User = z.output<typeof user>

export const userDetail = z.object({
  ...user.shape,
  /** Shown to their customers; '' for the operator's. */
  userContact: z.string(),
  userSuspendedDate: z.nullable(z.string()),
  userSuspendedReason: z.string(),
  /** Whether the suspension disabled their accounts; its end enables these again. */
  userAccountsClosed: z.boolean(),
  /** The last use of an open session or the last sign-in; null if unknown. */
  userLastSeenDate: z.nullable(z.string()),
  /** Expiring accounts are also counted as active. */
  accountsByState: counts(accountFilters),
})
export type UserDetail = z.output<typeof userDetail>

export const getUsers = defineCall({
  path: '/api/v1/admin/getusers',
  access: 'admin',
  summary: 'Users by page; search by e-mail or phone',
  input: {
    ...paging,
    search: z.optional(adminRules.search),
    filter: z.optional(z.enum([...userFilters, ...debtFilters], 'choice')),
    sort: z.optional(z.enum(userSorts, 'choice')),
  },
  output: list(user),
})

export const userTarget = { userEmail: adminRules.signInEmail }

export const getUserDetail = defineCall({
  path: '/api/v1/admin/getuser',
  access: 'admin',
  summary: 'One user, with their suspension and their accounts by state',
  input: userTarget,
  output: one(userDetail),
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const userChange = { access: 'admin', output: one(user), message: 'User changed' } as const

export const setUserLevel = defineCall({
  ...userChange,
  path: '/api/v1/admin/setuserlevel',
  summary: `Set a user's level; above ${limits.adminLevelAbove} is an administrator. Their sessions end`,
  input: { ...userTarget, value: adminRules.level, basedOn: z.optional(adminRules.level) },
  refusals: ['RESOURCE_NOT_FOUND', 'LAST_ADMIN', 'CHANGED_MEANWHILE'],
})

export const setUserPhone = defineCall({
  ...userChange,
  path: '/api/v1/admin/setuserphone',
  summary: 'Set the phone a user may sign in with by SMS, or null for none',
  input: {
    ...userTarget,
    userPhone: z.nullable(adminRules.userPhone),
    basedOn: z.optional(z.nullable(adminRules.phone)),
  },
  refusals: ['RESOURCE_NOT_FOUND', 'PHONE_TAKEN', 'CHANGED_MEANWHILE'],
})
