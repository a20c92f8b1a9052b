import * as z from 'zod/mini'
import { defineCall, list, nothing, one, paging } from './call.ts'
import { country } from './countries.ts'
import { rules } from './rules.ts'
import { fitsTunnel, needsTunnel, tunnelTypes, vpnTypes } from './vpn-catalogue.ts'

export const accountStates = ['active', 'disabled', 'expired', 'abused'] as const
export type AccountState = (typeof accountStates)[number]

/** What a list can be narrowed to; 'expiring' are the active ones that have at most `limits.expiringDays` left. */
export const accountFilters = [...accountStates, 'expiring'] as const
export type AccountFilterState = (typeof accountFilters)[number]

/** Whether the node has said that it holds the last change; 'unreported': no agent of its server says such things. */
export const accountAppliedStates = ['applied', 'waiting', 'unreported'] as const
export type AccountApplied = (typeof accountAppliedStates)[number]

export const renewals = ['extend', 'replace'] as const
export type Renewal = (typeof renewals)[number]

export const accountSorts = [
  'accountName',
  '-accountName',
  'accountExpireDate',
  '-accountExpireDate',
  'accountCreatedDate',
  '-accountCreatedDate',
] as const
export type AccountSort = (typeof accountSorts)[number]

export const account = z.object({
  accountUUID: z.string(),
  accountName: z.string(),
  accountVPNType: z.enum(vpnTypes),
  accountTunnelEnabled: z.boolean(),
  accountTunnelType: z.enum([...tunnelTypes, '']),
  accountDuration: z.number(),
  accountExpireDate: z.string(),
  accountCreatedDate: z.string(),
  accountEnabled: z.boolean(),
  accountAbuse: z.boolean(),
  accountAbuseEvidence: z.nullable(z.object({ devices: z.number(), seenDate: z.string() })),
  accountState: z.enum(accountStates),
  accountApplied: z.enum(accountAppliedStates),
  accountQRString: z.string(),
  accountSubscriptionPath: z.string(),
  server: z.object({ country }),
})
export type Account = z.output<typeof account>

const vpnChoice = { accountVPNType: rules.vpnType, accountTunnelType: rules.tunnelTypeOrNone }
const target = { accountUUID: rules.uuid }

const tunnelFits: z.core.CheckFn<{
  accountVPNType: (typeof vpnTypes)[number]
  accountTunnelType: string
  accountTunnelEnabled?: boolean
}> = ({ value, issues }) => {
  if (!fitsTunnel(value.accountVPNType, value.accountTunnelType))
    issues.push({ code: 'custom', path: ['accountTunnelType'], message: 'tunnelType', input: value })
  if (
    value.accountTunnelEnabled !== undefined &&
    value.accountTunnelEnabled !== needsTunnel(value.accountVPNType)
  )
    issues.push({ code: 'custom', path: ['accountTunnelEnabled'], message: 'tunnelType', input: value })
}

export const getUserAccounts = defineCall({
  path: '/api/v1/accounts/getuseraccounts',
  access: 'user',
  summary: 'Own VPN accounts; all of them unless a limit is given',
  input: {
    ...paging,
    search: z.optional(rules.search),
    state: z.optional(z.enum(accountFilters, 'choice')),
    sort: z.optional(z.enum(accountSorts, 'choice')),
  },
  output: list(account),
})

export const getAccount = defineCall({
  path: '/api/v1/accounts/getaccount',
  access: 'user',
  summary: 'One of the own accounts',
  input: target,
  output: one(account),
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const newAccount = defineCall({
  path: '/api/v1/accounts/new',
  access: 'user',
  summary: 'Create an account and charge for its days',
  input: {
    accountName: rules.accountName,
    ...vpnChoice,
    accountTunnelEnabled: rules.boolean,
    accountDuration: rules.days,
    countryId: z.optional(rules.countryId),
  },
  check: tunnelFits,
  output: one(account),
  message: 'Account created',
  refusals: [
    'INSUFFICIENT_CREDIT',
    'INSUFFICIENT_TUNNEL_CREDIT',
    'NO_CAPACITY',
    'KEY_REUSED',
    'BALANCE_TOO_LARGE',
  ],
  idempotent: true,
})

export const extendDuration = defineCall({
  path: '/api/v1/accounts/extendduration',
  access: 'user',
  summary: 'Renew an account and charge for the added days',
  input: { ...target, accountDuration: rules.days },
  output: one(account),
  message: 'Account renewed',
  refusals: [
    'RESOURCE_NOT_FOUND',
    'ACCOUNT_ABUSED',
    'INSUFFICIENT_CREDIT',
    'INSUFFICIENT_TUNNEL_CREDIT',
    'KEY_REUSED',
    'BALANCE_TOO_LARGE',
  ],
  idempotent: true,
})

export const setEnabled = defineCall({
  path: '/api/v1/accounts/setenabled',
  access: 'user',
  summary: 'Let an account in or keep it out',
  input: { ...target, accountEnabled: rules.boolean },
  output: one(account),
  message: 'Account changed',
  refusals: ['RESOURCE_NOT_FOUND', 'ACCOUNT_ABUSED'],
})

export const deleteAccount = defineCall({
  path: '/api/v1/accounts/delete',
  access: 'user',
  summary: 'Delete an account; nothing is refunded',
  input: target,
  output: nothing,
  message: 'Account deleted',
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const quoteRefusals = [
  'INSUFFICIENT_CREDIT',
  'INSUFFICIENT_TUNNEL_CREDIT',
  'NO_CAPACITY',
  'ACCOUNT_ABUSED',
  'BALANCE_TOO_LARGE',
] as const

export const quote = z.object({
  quotePoints: z.number(),
  quoteDollars: z.number(),
  quoteTunnelCredit: z.number(),
  /** The part that would become debt, in dollars. */
  quoteDebt: z.number(),
  quoteRenewal: z.nullable(z.enum(renewals)),
  quoteDaysLost: z.number(),
  userCreditAfter: z.number(),
  userCreditDollarsAfter: z.number(),
  userTunnelCreditAfter: z.number(),
  userDebtAfter: z.number(),
  accountDurationAfter: z.number(),
  accountExpireDate: z.string(),
  /** Why the purchase would be refused as things stand; null when it would go through. */
  quoteRefusal: z.nullable(z.enum(quoteRefusals)),
})

export const quoteAccount = defineCall({
  path: '/api/v1/accounts/quote',
  access: 'user',
  summary: 'What creating, or with accountUUID renewing, would cost and lead to',
  input: {
    ...vpnChoice,
    accountDuration: rules.days,
    accountUUID: z.optional(rules.uuid),
    countryId: z.optional(rules.countryId),
  },
  check: tunnelFits,
  output: one(quote),
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const clearAbuse = defineCall({
  path: '/api/v1/accounts/clearabuse',
  access: 'admin',
  summary: 'Open an account again that was stopped for abuse',
  input: target,
  output: one(account),
  message: 'Abuse cleared',
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const renewSubscription = defineCall({
  path: '/api/v1/accounts/newsubscriptionlink',
  access: 'user',
  summary: 'Replace the subscription link; the old one stops working',
  input: target,
  output: one(account),
  message: 'Subscription link replaced',
  refusals: ['RESOURCE_NOT_FOUND'],
})
