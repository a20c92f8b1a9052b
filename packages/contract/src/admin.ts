import * as z from 'zod/mini'
import { accountStates, renewals } from './accounts.ts'
import { defineCall, list, one, paging } from './call.ts'
import { limits } from './constants/limits.ts'
import { rules } from './rules.ts'
import { hostStates } from './servers.ts'
import { adminStatementEntry, statementFile } from './statement.ts'
import { vpnTypes } from './vpn-catalogue.ts'

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

const target = { userEmail: rules.signInEmail }
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
      serverPlaces: z.number(),
      serverAccounts: z.number(),
      tunnels: counts(hostStates),
      tunnelPlaces: z.number(),
      tunnelAccounts: z.number(),
      totalCredit: z.number(),
      totalTunnelCredit: z.number(),
      totalDebt: z.number(),
      lastFailures: z.array(
        z.object({
          subject: z.enum(['server', 'tunnel']),
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

export const getUsers = defineCall({
  path: '/api/v1/admin/getusers',
  access: 'admin',
  summary: 'Users, a page at a time',
  input: {
    ...paging,
    search: z.optional(rules.search),
    sort: z.optional(z.enum(userSorts, 'choice')),
  },
  output: list(user),
})

const userChange = { access: 'admin', output: one(user), message: 'User changed' } as const
const missing = ['RESOURCE_NOT_FOUND'] as const

export const adjustUserCredit = defineCall({
  ...userChange,
  path: '/api/v1/admin/adjustusercredit',
  summary: 'Give or take points',
  input: { ...target, amount: rules.points, reason: rules.reason },
  refusals: [...missing, 'INSUFFICIENT_CREDIT', 'BALANCE_TOO_LARGE'],
})

export const adjustUserTunnelCredit = defineCall({
  ...userChange,
  path: '/api/v1/admin/adjustusertunnelcredit',
  summary: 'Give or take tunnel credit',
  input: { ...target, amount: rules.points, reason: rules.reason },
  refusals: [...missing, 'INSUFFICIENT_TUNNEL_CREDIT', 'BALANCE_TOO_LARGE'],
})

export const adjustUserDebt = defineCall({
  ...userChange,
  path: '/api/v1/admin/adjustuserdebt',
  summary: 'Raise or lower the debt, in dollars',
  input: { ...target, amount: rules.dollars, reason: rules.reason },
  refusals: [...missing, 'DEBT_TOO_SMALL', 'BALANCE_TOO_LARGE'],
})

export const setUserRate = defineCall({
  ...userChange,
  path: '/api/v1/admin/setuserrate',
  summary: 'Give a user a points-per-dollar rate of their own, or null for the default',
  input: { ...target, userCustomCreditRate: z.nullable(rules.rate) },
  refusals: missing,
})

export const setUserDebtLimit = defineCall({
  ...userChange,
  path: '/api/v1/admin/setuserdebtlimit',
  summary: 'How much debt a purchase may lead to, in dollars',
  input: { ...target, value: rules.dollarLimit },
  refusals: missing,
})

export const setUserLevel = defineCall({
  ...userChange,
  path: '/api/v1/admin/setuserlevel',
  summary: `Set a user's level; above ${limits.adminLevelAbove} is an administrator. Their sessions end`,
  input: { ...target, value: rules.level },
  refusals: [...missing, 'LAST_ADMIN'],
})

export const setUserPhone = defineCall({
  ...userChange,
  path: '/api/v1/admin/setuserphone',
  summary: 'Set the phone a user may sign in with by SMS, or null for none',
  input: { ...target, userPhone: z.nullable(rules.phone) },
  refusals: [...missing, 'PHONE_TAKEN'],
})

export const settings = z.object({
  defaultCreditRate: rules.rate,
  pointsPerDay: z.record(z.enum(vpnTypes), rules.price, 'price'),
  tunnelCreditPerDay: rules.price,
  renewal: z.enum(renewals, 'choice'),
  maxDevices: rules.devices,
})
export type Settings = z.output<typeof settings>

export const defaultSettings: Settings = {
  defaultCreditRate: 100,
  pointsPerDay: { trojan: 10, 'hysteria2-direct': 10 },
  tunnelCreditPerDay: 1,
  renewal: 'extend',
  maxDevices: 2,
}

export const getSettings = defineCall({
  path: '/api/v1/admin/getsettings',
  access: 'admin',
  summary: 'Rates, prices and rules of the house',
  input: {},
  output: one(settings),
})

export const setSettings = defineCall({
  path: '/api/v1/admin/setsettings',
  access: 'admin',
  summary: 'Change some or all settings',
  input: {
    defaultCreditRate: z.optional(settings.shape.defaultCreditRate),
    pointsPerDay: z.optional(settings.shape.pointsPerDay),
    tunnelCreditPerDay: z.optional(settings.shape.tunnelCreditPerDay),
    renewal: z.optional(settings.shape.renewal),
    maxDevices: z.optional(settings.shape.maxDevices),
  },
  output: one(settings),
  message: 'Settings changed',
})

export const getUserStatement = defineCall({
  path: '/api/v1/admin/getstatement',
  access: 'admin',
  summary: "Anyone's ledger entries, newest first",
  input: { ...paging, userEmail: z.optional(rules.signInEmail) },
  output: list(adminStatementEntry),
  refusals: missing,
})

export const getUserStatementFile = defineCall({
  path: '/api/v1/admin/getstatementfile',
  access: 'admin',
  summary: "Anyone's ledger entries as a CSV file",
  input: { userEmail: z.optional(rules.signInEmail) },
  output: one(statementFile),
  refusals: missing,
})

export const auditEntry = z.object({
  auditId: z.string(),
  auditDate: z.string(),
  auditActor: z.string(),
  auditAction: z.string(),
  auditSubject: z.string(),
  auditDetail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  auditAddress: z.string(),
})

export const getAudit = defineCall({
  path: '/api/v1/admin/getaudit',
  access: 'admin',
  summary: 'Who did what, newest first; with userEmail only what that user did or had done to them',
  input: { ...paging, userEmail: z.optional(rules.signInEmail) },
  output: list(auditEntry),
})
