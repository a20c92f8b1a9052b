import * as z from 'zod/mini'
import { renewals } from './accounts.ts'
import { defineCall, list, one } from './call.ts'
import { limits } from './limits.ts'
import { chargeQuote, quotedRenewal, quoteRefusals } from './purchases.ts'
import { rules } from './rules.ts'

const areDifferent = (values: readonly string[]) => new Set(values).size === values.length

const targets = {
  accountUUIDs: z
    .array(rules.uuid, 'accounts')
    .check(
      z.minLength(1, 'accounts'),
      z.maxLength(limits.bulkMax, 'accounts'),
      z.refine(areDifferent, 'accounts'),
    ),
}

/** GB are added to each account that has a limit. */
const renewed = { accountDuration: rules.days, accountDataLimit: z.optional(rules.gigabytes) }

export const bulkRefusals = ['RESOURCE_NOT_FOUND', ...quoteRefusals] as const

/** `reason` tells why an account stays unchanged; null if it changes. */
export const bulkResult = z.object({
  accountUUID: z.string(),
  accountRefusal: z.nullable(z.enum(bulkRefusals)),
})

export const bulkRenewal = z.object({
  ...chargeQuote,
  quoteRenewal: z.enum(renewals),
  accounts: z.array(
    z.object({
      ...bulkResult.shape,
      quotePoints: z.number(),
      quoteTunnelCredit: z.number(),
      quoteDaysLost: z.number(),
      accountDurationAfter: z.nullable(z.number()),
      accountExpireDate: z.nullable(z.string()),
    }),
  ),
})

export const quoteBulk = defineCall({
  path: '/api/v1/accounts/quotebulk',
  access: 'user',
  summary: 'Quote for renewing many accounts: total cost and each result',
  input: { ...targets, ...renewed },
  output: one(bulkRenewal),
})

export const extendBulk = defineCall({
  path: '/api/v1/accounts/extendbulk',
  access: 'user',
  summary: 'Renew many accounts in one charge and in this order; names those that cannot be renewed',
  input: { ...targets, ...renewed, ...quotedRenewal },
  output: one(bulkRenewal),
  message: 'Accounts renewed',
  refusals: ['QUOTE_CHANGED'],
  idempotent: true,
})

export const setEnabledBulk = defineCall({
  path: '/api/v1/accounts/setenabledbulk',
  access: 'user',
  summary: 'Enable or disable many accounts',
  input: { ...targets, accountEnabled: rules.boolean },
  output: list(bulkResult),
  message: 'Accounts changed',
  idempotent: true,
})

export const deleteBulk = defineCall({
  path: '/api/v1/accounts/deletebulk',
  access: 'user',
  summary: 'Delete many accounts; nothing is refunded',
  input: targets,
  output: list(bulkResult),
  message: 'Accounts deleted',
  idempotent: true,
})
