import * as z from 'zod/mini'
import { accountStarts, dataResets } from './accounts.ts'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, nothing, one } from './call.ts'
import { type Language, languages } from './constants/languages.ts'
import { limits } from './limits.ts'
import { planTerms, planWay } from './plan-fields.ts'
import { fitsTunnel } from './vpn-catalogue.ts'

const inEachLanguage = <Value extends z.ZodMiniType>(value: Value) =>
  Object.fromEntries(languages.map((language) => [language, value])) as Record<Language, Value>

const areDifferent = (values: readonly string[]) => new Set(values).size === values.length

export const plan = z.object({
  ...planTerms,
  planNames: z.object(inEachLanguage(z.string())),
  planWays: z.array(planWay),
  planActive: z.boolean(),
  /** false: only for planResellers. */
  planForAll: z.boolean(),
  planResellers: z.array(z.string()),
})
export type Plan = z.output<typeof plan>

const way = z
  .strictObject(
    {
      accountVPNType: adminRules.vpnType,
      accountTunnelType: adminRules.tunnelTypeOrNone,
      countryId: adminRules.countryId,
    },
    'planWays',
  )
  .check(({ value, issues }) => {
    if (!fitsTunnel(value.accountVPNType, value.accountTunnelType))
      issues.push({ code: 'custom', message: 'tunnelType', input: value })
  })

const content = {
  planNames: z.strictObject(inEachLanguage(adminRules.planName), 'planNames'),
  /** The first one is what the plan sells; the others are further ways of the same account. */
  planWays: z
    .array(way, 'planWays')
    .check(z.minLength(1, 'planWays'), z.maxLength(limits.waysMax, 'planWays')),
  accountDuration: adminRules.days,
  accountDataLimit: z.optional(adminRules.gigabytes),
  accountDataReset: z.enum(dataResets, 'choice'),
  accountStart: z.enum(accountStarts, 'choice'),
  accountMaxDevices: z.optional(adminRules.devices),
  planPoints: adminRules.planPrice,
  planTunnelCredit: adminRules.planPrice,
  planForAll: adminRules.boolean,
  planResellers: z
    .array(adminRules.signInEmail, 'planResellers')
    .check(z.maxLength(limits.planResellersMax, 'planResellers'), z.refine(areDifferent, 'planResellers')),
}

const contentFits: z.core.CheckFn<{ accountDataLimit?: number | undefined; accountDataReset: string }> = ({
  value,
  issues,
}) => {
  if (value.accountDataReset === 'monthly' && value.accountDataLimit === undefined)
    issues.push({ code: 'custom', path: ['accountDataLimit'], message: 'gigabytes', input: value })
}

const target = { planUUID: adminRules.uuid }

export const getAllPlans = defineCall({
  path: '/api/v1/admin/getplans',
  access: 'admin',
  summary: 'All plans in their order, also those that are not active',
  input: {},
  output: list(plan),
})

export const addPlan = defineCall({
  path: '/api/v1/admin/addplan',
  access: 'admin',
  summary: 'Add a plan after the others',
  input: { planUUID: adminRules.uuidV4, ...content, planActive: adminRules.boolean },
  check: contentFits,
  output: one(plan),
  message: 'Plan added',
  refusals: ['UUID_TAKEN', 'TOO_MANY_PLANS'],
})

export const changePlan = defineCall({
  path: '/api/v1/admin/changeplan',
  access: 'admin',
  summary: 'Change what a plan sells from now on; accounts that it sold stay as they are',
  input: { ...target, ...content, basedOn: z.optional(adminRules.planRevision) },
  check: contentFits,
  output: one(plan),
  message: 'Plan changed',
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const setPlanActive = defineCall({
  path: '/api/v1/admin/setplanactive',
  access: 'admin',
  summary: 'Offer a plan, or do not sell it any more',
  input: { ...target, planActive: adminRules.boolean },
  output: one(plan),
  message: 'Plan changed',
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const deletePlan = defineCall({
  path: '/api/v1/admin/deleteplan',
  access: 'admin',
  summary: 'Delete a plan; accounts and statements keep its name',
  input: target,
  output: nothing,
  message: 'Plan deleted',
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const orderPlans = defineCall({
  path: '/api/v1/admin/orderplans',
  access: 'admin',
  summary: 'Put all plans into this order',
  input: {
    planUUIDs: z
      .array(adminRules.uuid, 'planUUIDs')
      .check(z.maxLength(limits.plansMax, 'planUUIDs'), z.refine(areDifferent, 'planUUIDs')),
  },
  output: list(plan),
  message: 'Plans ordered',
  refusals: ['CHANGED_MEANWHILE'],
})
