import * as z from 'zod/mini'
import { renewals } from './accounts.ts'
import { adminRules } from './admin-rules.ts'
import { defineCall, one } from './call.ts'
import { type VpnType, vpnTypes } from './vpn-catalogue.ts'

export const settings = z.object({
  defaultCreditRate: adminRules.rate,
  pointsPerDay: z.record(z.enum(vpnTypes), adminRules.price, 'price'),
  tunnelCreditPerDay: adminRules.price,
  renewal: z.enum(renewals, 'choice'),
  maxDevices: adminRules.devices,
})
export type Settings = z.output<typeof settings>

/** What a day costs until an administrator says otherwise. */
const usualPrice = 10
const usualPrices = Object.fromEntries(vpnTypes.map((type) => [type, usualPrice])) as Record<VpnType, number>

export const defaultSettings: Settings = {
  defaultCreditRate: 100,
  pointsPerDay: usualPrices,
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

const changes = {
  defaultCreditRate: z.optional(settings.shape.defaultCreditRate),
  pointsPerDay: z.optional(settings.shape.pointsPerDay),
  tunnelCreditPerDay: z.optional(settings.shape.tunnelCreditPerDay),
  renewal: z.optional(settings.shape.renewal),
  maxDevices: z.optional(settings.shape.maxDevices),
}

export const setSettings = defineCall({
  path: '/api/v1/admin/setsettings',
  access: 'admin',
  summary: 'Change some or all settings',
  input: {
    ...changes,
    /** Those of them that were shown, as they were shown. */
    basedOn: z.optional(z.strictObject(changes, 'basedOn')),
  },
  output: one(settings),
  message: 'Settings changed',
  refusals: ['CHANGED_MEANWHILE'],
})
