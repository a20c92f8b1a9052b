import * as z from 'zod/mini'
import { beyondSpec } from './beyond-spec.ts'
import { defineCall, list, nothing, one, paging } from './call.ts'
import { accountCountry, country } from './countries.ts'
import { rules } from './rules.ts'
import { tunnelTypes, vpnTypes } from './vpn-catalogue.ts'

/** 'limited': its data is used up. */
export const accountStates = ['active', 'limited', 'disabled', 'expired', 'abused'] as const
export type AccountState = (typeof accountStates)[number]

/**
 * 'expiring': active with at most `limits.expiringDays` left. 'lowData': active with at most a fifth of the data left.
 */
export const accountFilters = [...accountStates, 'expiring', 'lowData'] as const
export type AccountFilterState = (typeof accountFilters)[number]

/** Whether the node has confirmed the last change; 'unreported': its agent does not report. */
export const accountAppliedStates = ['applied', 'waiting', 'unreported'] as const
export type AccountApplied = (typeof accountAppliedStates)[number]

export const renewals = ['extend', 'replace'] as const
export type Renewal = (typeof renewals)[number]

/** Whether an account gets its data anew. */
export const dataResets = ['none', 'monthly'] as const
export type DataReset = (typeof dataResets)[number]

/** When the days of an account begin. */
export const accountStarts = ['now', 'firstUse'] as const
export type AccountStart = (typeof accountStarts)[number]

export const accountSorts = [
  'accountName',
  '-accountName',
  'accountExpireDate',
  '-accountExpireDate',
  'accountCreatedDate',
  '-accountCreatedDate',
] as const
export type AccountSort = (typeof accountSorts)[number]

const specFields = {
  accountUUID: z.string(),
  accountName: z.string(),
  accountVPNType: z.enum(vpnTypes),
  accountTunnelEnabled: z.boolean(),
  accountTunnelType: z.enum([...tunnelTypes, '']),
  accountDuration: z.number(),
  accountExpireDate: z.string(),
  accountEnabled: z.boolean(),
  accountAbuse: z.boolean(),
}
/** In bytes. */
export const traffic = { up: z.number(), down: z.number() }
export const accountActivity = {
  usageTotal: z.object(traffic),
  accountOnline: z.boolean(),
  accountLastSeenDate: z.nullable(z.string()),
}
const further = {
  ...accountActivity,
  accountCreatedDate: z.string(),
  accountAbuseEvidence: z.nullable(
    z.object({
      devices: z.number(),
      seenDate: z.string(),
      sinceDate: z.optional(z.nullable(z.string())),
      /** Minutes in which more devices than allowed were in use all the time. */
      minutes: z.optional(z.nullable(z.number())),
    }),
  ),
  /** When the owner may clear the abuse; null: now, or there is none. */
  accountAbuseClearableDate: z.nullable(z.string()),
  /** Devices beyond the limit that are refused at the moment. */
  accountRefusedDevices: z.nullable(
    z.object({
      refused: z.number(),
      devices: z.number(),
      allowed: z.number(),
      sinceDate: z.string(),
      untilDate: z.string(),
    }),
  ),
  /** null: the default of the settings. */
  accountMaxDevices: z.nullable(z.number()),
  /** In Mbit/s, on each of its ways and in each direction; null: no limit. */
  accountSpeedLimit: z.nullable(z.number()),
  /** In GB of the present period; null: no limit. */
  accountDataLimit: z.nullable(z.number()),
  /** In bytes of the present period; 0 without a limit. */
  accountDataUsed: z.number(),
  accountDataReset: z.enum(dataResets),
  /** When the account gets its data anew; null: it does not. */
  accountDataResetDate: z.nullable(z.string()),
  /** 'firstUse': the days have not begun. */
  accountStart: z.enum(accountStarts),
  /** The days begin then at the latest; null: they have begun. accountExpireDate counts from then. */
  accountStartBy: z.nullable(z.string()),
  /** null: not used yet, or the days began with the purchase. */
  accountFirstUseDate: z.nullable(z.string()),
  /** The plan that it was last bought or renewed by, named as it was then; null: none. */
  accountPlan: z.nullable(z.object({ planUUID: z.string(), planName: z.string() })),
  accountState: z.enum(accountStates),
  accountApplied: z.enum(accountAppliedStates),
}

/** One of the servers that a customer can use, the preferred one first. */
export const accountWay = z.object({
  accountVPNType: z.enum(vpnTypes),
  accountTunnelType: z.enum([...tunnelTypes, '']),
  accountQRString: z.string(),
  /** Whether customers cannot get through there at the moment. */
  wayDown: z.boolean(),
  /** When its server last counted bytes of the customer; null: never, or too long ago. */
  wayLastSeenDate: z.nullable(z.string()),
  server: z.object({ country: accountCountry }),
})

export const account = z.object({
  ...specFields,
  accountQRString: z.string(),
  server: z.object({ country: accountCountry }),
  ...beyondSpec({ ...further, accountSubscriptionPath: z.string() }),
  /** Not in lists. */
  accountWays: z.optional(z.array(accountWay)),
})
export type Account = z.output<typeof account>
export type SentAccount = z.input<typeof account>

/** For administrators, who must not get the customer's credentials. */
export const withoutLinks = { ...specFields, ...further, server: z.object({ country }) }

export const accountTarget = { accountUUID: rules.uuid }

export const getUserAccounts = defineCall({
  path: '/api/v1/accounts/getuseraccounts',
  access: 'user',
  summary: 'Own VPN accounts; all of them unless a limit is given',
  input: {
    ...paging,
    search: z.optional(rules.search),
    state: z.optional(z.enum(accountFilters, 'choice')),
    sort: z.optional(z.enum(accountSorts, 'choice')),
    /** false: accountQRString and accountSubscriptionPath are empty, so that lists carry no VPN keys. */
    withLinks: z.optional(rules.boolean),
  },
  output: list(account),
  emptyText: 'No accounts found',
})

export const getAccount = defineCall({
  path: '/api/v1/accounts/getaccount',
  access: 'user',
  summary: 'One of the own accounts',
  input: accountTarget,
  output: one(account),
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const setEnabled = defineCall({
  path: '/api/v1/accounts/setenabled',
  access: 'user',
  summary: 'Enable or disable an account',
  input: { ...accountTarget, accountEnabled: rules.boolean },
  output: one(account),
  message: 'Account changed',
  refusals: ['RESOURCE_NOT_FOUND', 'ACCOUNT_ABUSED'],
})

export const deleteAccount = defineCall({
  path: '/api/v1/accounts/delete',
  access: 'user',
  summary: 'Delete an account; nothing is refunded',
  input: accountTarget,
  output: nothing,
  message: 'Account deleted',
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const renewSubscription = defineCall({
  path: '/api/v1/accounts/newsubscriptionlink',
  access: 'user',
  summary: 'Replace the subscription link; the old one stops working',
  input: accountTarget,
  output: one(account),
  message: 'Subscription link replaced',
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const newSecret = defineCall({
  path: '/api/v1/accounts/newsecret',
  access: 'user',
  summary:
    'Replace the VPN key: the old one stops working and its connections are cut; the subscription link stays',
  input: accountTarget,
  output: one(account),
  message: 'VPN key replaced',
  refusals: ['RESOURCE_NOT_FOUND'],
})

/** A way as administrators see it, the preferred one first. */
const anyAccountWay = z.object({
  accountVPNType: z.enum(vpnTypes),
  accountTunnelType: z.enum([...tunnelTypes, '']),
  serverUUID: z.string(),
  serverName: z.string(),
  tunnelUUID: z.nullable(z.string()),
  tunnelName: z.nullable(z.string()),
  wayDown: z.boolean(),
  /** Its server or tunnel is blocked where the account says that it is used. */
  wayBlocked: z.boolean(),
  wayApplied: z.enum(accountAppliedStates),
  wayLastSeenDate: z.nullable(z.string()),
  server: z.object({ country }),
})
export type AnyAccountWay = z.output<typeof anyAccountWay>

/** What administrators see of anyone's account. */
export const anyAccount = z.object({
  ...withoutLinks,
  userEmail: z.string(),
  serverUUID: z.string(),
  serverName: z.string(),
  tunnelUUID: z.nullable(z.string()),
  tunnelName: z.nullable(z.string()),
  /** Disabled by the owner's suspension, and enabled again with its end. */
  accountClosedBySuspension: z.boolean(),
  /** Where the customer is, as said at the purchase; '' is not said. */
  accountTargetCountry: z.optional(z.string()),
  accountTargetOperator: z.optional(z.string()),
  /** Only in the reply about one account. */
  accountWays: z.optional(z.array(anyAccountWay)),
})
export type AnyAccount = z.output<typeof anyAccount>

export const clearAbuse = defineCall({
  path: '/api/v1/accounts/clearabuse',
  access: 'user',
  summary:
    'Enable an account that was stopped for abuse: an own one three times in 30 days, for administrators any',
  input: accountTarget,
  /** Administrators get no links. */
  output: one(z.union([anyAccount, account])),
  message: 'Abuse cleared',
  refusals: ['RESOURCE_NOT_FOUND', 'CLEARED_TOO_OFTEN'],
})
