import * as z from 'zod/mini'
import { renewals } from './accounts.ts'
import { defineCall, one } from './call.ts'
import { rules } from './rules.ts'
import { type VpnType, vpnTypes } from './vpn-catalogue.ts'

export const settings = z.object({
  defaultCreditRate: rules.rate,
  pointsPerDay: z.record(z.enum(vpnTypes), rules.price, 'price'),
  tunnelCreditPerDay: rules.price,
  renewal: z.enum(renewals, 'choice'),
  maxDevices: rules.devices,
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
