import * as z from 'zod/mini'
import { account, accountTarget } from './accounts.ts'
import { defineCall, one, success } from './call.ts'
import { planTerms, planWay } from './plan-fields.ts'
import { quote, quotedCharge, targets } from './purchases.ts'
import { rules } from './rules.ts'

export const planOffer = z.object({
  ...planTerms,
  /** In the language of the request. */
  planName: z.string(),
  /** How many devices at once that is today. */
  planDevices: z.number(),
  /** The first one decides where the customer appears to be. */
  planWays: z.array(z.object({ ...planWay.shape, countryName: z.string() })),
})
export type PlanOffer = z.output<typeof planOffer>

export const getPlans = defineCall({
  path: '/api/v1/accounts/getplans',
  access: 'user',
  summary: 'Plans on offer, or those that fit an account; and whether it may be bought without a plan',
  input: { accountUUID: z.optional(rules.uuid) },
  output: one(z.object({ plans: z.array(planOffer), customAllowed: z.boolean() })),
  refusals: ['RESOURCE_NOT_FOUND'],
})

/** The quote that the buyer saw. The purchase is refused if the plan has changed. */
export const quotedPlan = {
  ...quotedCharge,
  quotedPlanRevision: z.optional(z.int('price').check(z.minimum(1, 'price'))),
}

const planTarget = { planUUID: rules.uuid }
/** Where the plan leaves its first way open. */
const openChoices = { countryId: z.optional(rules.countryId), ...targets }

export const newByPlan = defineCall({
  path: '/api/v1/accounts/newbyplan',
  access: 'user',
  summary: 'Create an account by a plan, at its price; countryId counts where the plan has any location',
  input: { accountName: rules.accountName, ...planTarget, ...openChoices, ...quotedPlan },
  output: success(account),
  message: 'Account created',
  refusals: [
    'PLAN_NOT_SOLD',
    'QUOTE_CHANGED',
    'INSUFFICIENT_CREDIT',
    'INSUFFICIENT_TUNNEL_CREDIT',
    'NO_CAPACITY',
    'BALANCE_TOO_LARGE',
  ],
  idempotent: true,
})

export const renewByPlan = defineCall({
  path: '/api/v1/accounts/renewbyplan',
  access: 'user',
  summary: 'Renew an account by a plan that fits it: adds its days and GB at its price',
  input: { ...accountTarget, ...planTarget, ...quotedPlan },
  output: one(account),
  message: 'Account renewed',
  refusals: [
    'RESOURCE_NOT_FOUND',
    'PLAN_NOT_SOLD',
    'PLAN_MISMATCH',
    'ACCOUNT_ABUSED',
    'EXPIRY_TOO_FAR',
    'QUOTE_CHANGED',
    'INSUFFICIENT_CREDIT',
    'INSUFFICIENT_TUNNEL_CREDIT',
    'BALANCE_TOO_LARGE',
    'DATA_LIMIT_TOO_LARGE',
  ],
  idempotent: true,
})

export const quoteByPlan = defineCall({
  path: '/api/v1/accounts/quotebyplan',
  access: 'user',
  summary: 'Quote for creating an account by a plan or, with accountUUID, renewing it',
  input: { ...planTarget, accountUUID: z.optional(rules.uuid), ...openChoices },
  output: one(z.object({ ...quote.shape, planRevision: z.number() })),
  refusals: ['RESOURCE_NOT_FOUND', 'PLAN_NOT_SOLD', 'PLAN_MISMATCH', 'DATA_LIMIT_TOO_LARGE'],
})
