import * as z from 'zod/mini'
import { account, accountStarts, accountTarget, dataResets, renewals } from './accounts.ts'
import { defineCall, list, one, success } from './call.ts'
import { limits } from './limits.ts'
import { rules } from './rules.ts'
import { fitsTunnel, tunnelTypes, usesTunnel, vpnTypes } from './vpn-catalogue.ts'

const vpnChoice = { accountVPNType: rules.vpnType, accountTunnelType: rules.tunnelTypeOrNone }

const choicesFit: z.core.CheckFn<{
  accountVPNType: (typeof vpnTypes)[number]
  accountTunnelType: string
  accountTunnelEnabled?: boolean
  accountDataLimit?: number | undefined
  accountDataReset?: string | undefined
}> = ({ value, issues }) => {
  const refuse = (field: string, message: string) =>
    issues.push({ code: 'custom', path: [field], message, input: value })
  if (!fitsTunnel(value.accountVPNType, value.accountTunnelType)) refuse('accountTunnelType', 'tunnelType')
  const { accountTunnelEnabled: isEnabled } = value
  if (isEnabled !== undefined && isEnabled !== usesTunnel(value.accountVPNType, value.accountTunnelType))
    refuse('accountTunnelEnabled', 'tunnelType')
  if (value.accountDataReset === 'monthly' && value.accountDataLimit === undefined)
    refuse('accountDataLimit', 'gigabytes')
}

/** Further ways of one account, of other VPN types or in other countries. */
const accountAlsoBy = z.optional(
  z
    .array(
      z
        .strictObject({ ...vpnChoice, countryId: z.optional(rules.countryId) }, 'alsoBy')
        .check(({ value, issues }) => {
          if (!fitsTunnel(value.accountVPNType, value.accountTunnelType))
            issues.push({ code: 'custom', message: 'tunnelType', input: value })
        }),
      'alsoBy',
    )
    .check(z.maxLength(limits.waysMax - 1, 'alsoBy')),
)

/** Without them an account has no limit of data, begins at once, and has the usual number of devices. */
const volume = {
  accountDataLimit: z.optional(rules.gigabytes),
  accountDataReset: z.optional(z.enum(dataResets, 'choice')),
  accountStart: z.optional(z.enum(accountStarts, 'choice')),
  accountMaxDevices: z.optional(rules.devices),
}

/** Servers meant for the customer's country and operator come first; any other may be used. */
export const targets = {
  accountTargetCountry: z.optional(rules.target),
  accountTargetOperator: z.optional(rules.target),
}

const charge = z.int('price').check(z.minimum(0, 'price'))

/** The quote that the buyer saw. The purchase is refused if the price differs. */
export const quotedCharge = {
  quotedPoints: z.optional(charge),
  quotedTunnelCredit: z.optional(charge),
  /** In dollars. */
  quotedDebt: z.optional(rules.dollarLimit),
}
export const quotedRenewal = { ...quotedCharge, quotedRenewal: z.optional(z.enum(renewals, 'choice')) }

export const newAccount = defineCall({
  path: '/api/v1/accounts/new',
  access: 'user',
  summary: 'Create an account and charge for its days; countryId 0 or none is any location',
  input: {
    accountName: rules.accountName,
    ...vpnChoice,
    accountTunnelEnabled: rules.boolean,
    accountDuration: rules.days,
    countryId: z.optional(rules.countryId),
    accountAlsoBy,
    ...volume,
    ...targets,
    ...quotedCharge,
  },
  check: choicesFit,
  output: success(account),
  message: 'Account created',
  refusals: [
    'QUOTE_CHANGED',
    'INSUFFICIENT_CREDIT',
    'INSUFFICIENT_TUNNEL_CREDIT',
    'NO_CAPACITY',
    'BALANCE_TOO_LARGE',
    'DATA_LIMIT_REQUIRED',
    'PLAN_REQUIRED',
  ],
  idempotent: true,
})

export const extendDuration = defineCall({
  path: '/api/v1/accounts/extendduration',
  access: 'user',
  summary: 'Renew an account and charge for the added days and, if wanted, GB',
  input: {
    ...accountTarget,
    accountDuration: rules.days,
    /** GB that are added. */
    accountDataLimit: z.optional(rules.gigabytes),
    ...quotedRenewal,
  },
  output: one(account),
  message: 'Account renewed',
  refusals: [
    'RESOURCE_NOT_FOUND',
    'ACCOUNT_ABUSED',
    'EXPIRY_TOO_FAR',
    'QUOTE_CHANGED',
    'INSUFFICIENT_CREDIT',
    'INSUFFICIENT_TUNNEL_CREDIT',
    'BALANCE_TOO_LARGE',
    'NO_DATA_LIMIT',
    'DATA_LIMIT_TOO_LARGE',
    'PLAN_REQUIRED',
  ],
  idempotent: true,
})

export const quoteRefusals = [
  'INSUFFICIENT_CREDIT',
  'INSUFFICIENT_TUNNEL_CREDIT',
  'NO_CAPACITY',
  'ACCOUNT_ABUSED',
  'EXPIRY_TOO_FAR',
  'BALANCE_TOO_LARGE',
  'DATA_LIMIT_REQUIRED',
  'NO_DATA_LIMIT',
  'DATA_LIMIT_TOO_LARGE',
  'PLAN_REQUIRED',
] as const

export const chargeQuote = {
  quotePoints: z.number(),
  quoteDollars: z.number(),
  quoteTunnelCredit: z.number(),
  /** In dollars. */
  quoteDebt: z.number(),
  quoteDaysLost: z.number(),
  userCreditAfter: z.number(),
  userCreditDollarsAfter: z.number(),
  userTunnelCreditAfter: z.number(),
  userDebtAfter: z.number(),
}

export const quote = z.object({
  ...chargeQuote,
  quoteRenewal: z.nullable(z.enum(renewals)),
  accountDurationAfter: z.number(),
  accountExpireDate: z.string(),
  /** In GB of the present period; null: no limit. */
  accountDataLimitAfter: z.nullable(z.number()),
  /** In bytes; null: no limit. */
  accountDataLeftAfter: z.nullable(z.number()),
  /** The days begin then at the latest, and accountExpireDate counts from then; null: they begin or began at once. */
  accountStartBy: z.nullable(z.string()),
  quoteRefusal: z.nullable(z.enum(quoteRefusals)),
})

export const quoteAccount = defineCall({
  path: '/api/v1/accounts/quote',
  access: 'user',
  summary: 'Quote for creating an account or, with accountUUID, renewing it',
  input: {
    ...vpnChoice,
    accountDuration: rules.days,
    accountUUID: z.optional(rules.uuid),
    countryId: z.optional(rules.countryId),
    accountAlsoBy,
    ...volume,
    ...targets,
  },
  check: choicesFit,
  output: one(quote),
  refusals: ['RESOURCE_NOT_FOUND', 'NO_DATA_LIMIT', 'DATA_LIMIT_TOO_LARGE'],
})

const addedData = { ...accountTarget, accountDataLimit: rules.gigabytes }

export const addData = defineCall({
  path: '/api/v1/accounts/adddata',
  access: 'user',
  summary: 'Add GB to an account that has a limit, and charge for them; its days stay',
  input: { ...addedData, ...quotedCharge },
  output: one(account),
  message: 'Data added',
  refusals: [
    'RESOURCE_NOT_FOUND',
    'ACCOUNT_ABUSED',
    'NO_DATA_LIMIT',
    'DATA_LIMIT_TOO_LARGE',
    'QUOTE_CHANGED',
    'INSUFFICIENT_CREDIT',
    'BALANCE_TOO_LARGE',
  ],
  idempotent: true,
})

export const quoteData = defineCall({
  path: '/api/v1/accounts/quotedata',
  access: 'user',
  summary: 'Quote for adding GB to an account',
  input: addedData,
  output: one(quote),
  refusals: ['RESOURCE_NOT_FOUND', 'NO_DATA_LIMIT', 'DATA_LIMIT_TOO_LARGE'],
})

export const getTargets = defineCall({
  path: '/api/v1/accounts/gettargets',
  access: 'user',
  summary: 'Countries and operators of customers that servers with room are meant for',
  input: {},
  output: list(
    z.object({
      accountVPNType: z.enum(vpnTypes),
      accountTunnelType: z.enum([...tunnelTypes, '']),
      countryId: z.number(),
      accountTargetCountry: z.string(),
      accountTargetOperator: z.string(),
    }),
  ),
})
