import * as z from 'zod/mini'
import { account, accountTarget, renewals } from './accounts.ts'
import { defineCall, list, one, success } from './call.ts'
import { limits } from './limits.ts'
import { rules } from './rules.ts'
import { fitsTunnel, tunnelTypes, usesTunnel, vpnTypes } from './vpn-catalogue.ts'

const vpnChoice = { accountVPNType: rules.vpnType, accountTunnelType: rules.tunnelTypeOrNone }

const tunnelFits: z.core.CheckFn<{
  accountVPNType: (typeof vpnTypes)[number]
  accountTunnelType: string
  accountTunnelEnabled?: boolean
}> = ({ value, issues }) => {
  if (!fitsTunnel(value.accountVPNType, value.accountTunnelType))
    issues.push({ code: 'custom', path: ['accountTunnelType'], message: 'tunnelType', input: value })
  const { accountTunnelEnabled: isEnabled } = value
  if (isEnabled !== undefined && isEnabled !== usesTunnel(value.accountVPNType, value.accountTunnelType))
    issues.push({ code: 'custom', path: ['accountTunnelEnabled'], message: 'tunnelType', input: value })
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

/** Servers meant for the customer's country and operator come first; any other may be used. */
const targets = {
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
    ...targets,
    ...quotedCharge,
  },
  check: tunnelFits,
  output: success(account),
  message: 'Account created',
  refusals: [
    'QUOTE_CHANGED',
    'INSUFFICIENT_CREDIT',
    'INSUFFICIENT_TUNNEL_CREDIT',
    'NO_CAPACITY',
    'BALANCE_TOO_LARGE',
  ],
  idempotent: true,
})

export const extendDuration = defineCall({
  path: '/api/v1/accounts/extendduration',
  access: 'user',
  summary: 'Renew an account and charge for the added days',
  input: { ...accountTarget, accountDuration: rules.days, ...quotedRenewal },
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
    ...targets,
  },
  check: tunnelFits,
  output: one(quote),
  refusals: ['RESOURCE_NOT_FOUND'],
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
