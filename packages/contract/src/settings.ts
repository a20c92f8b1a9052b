import * as z from 'zod/mini'
import { renewals } from './accounts.ts'
import { defineCall, one } from './call.ts'
import { clientHello, type HelloType, helloTypes, usualHello } from './client-hello.ts'
import { secondFactorRules } from './second-factor.ts'
import { settingRules } from './setting-rules.ts'
import { type VpnType, vpnTypes } from './vpn-catalogue.ts'

const byType = <Value>(value: Value) =>
  Object.fromEntries(vpnTypes.map((type) => [type, value])) as Record<VpnType, Value>

const byHelloType = <Value>(value: Value) =>
  Object.fromEntries(helloTypes.map((type) => [type, value])) as Record<HelloType, Value>

const prices = byType(settingRules.price)
const ways = byType(settingRules.ways)
const hellos = byHelloType(clientHello)
const newHellos = byHelloType(z.strictObject(clientHello.shape, 'choice'))

export const certificateSources = ['acme', 'dns', 'own'] as const

const certificates = {
  source: z.enum(certificateSources, 'choice'),
  acmeDirectory: z.string(),
  acmeEmail: z.string(),
}
const newCertificates = {
  source: certificates.source,
  acmeDirectory: settingRules.httpsAddress,
  acmeEmail: settingRules.emailOrNone,
}

export const settings = z.object({
  defaultCreditRate: settingRules.rate,
  pointsPerDay: z.object(prices, 'price'),
  /** For each GB of a limit of data. */
  pointsPerGB: z.object(prices, 'price'),
  tunnelCreditPerDay: settingRules.price,
  /** For each day and each device above `maxDevices`. */
  pointsPerDayOfDevice: settingRules.price,
  /** Whether accounts without a limit of data are sold. */
  unlimitedAccounts: z.boolean('boolean'),
  /** Whether resellers may buy and renew without a plan. Administrators may, and so may everybody where no plan fits. */
  customAccounts: z.boolean('boolean'),
  /** Days that begin at first use begin by themselves after so many. */
  firstUseWaitDays: settingRules.firstUseDays,
  /** For each further way that a reseller chooses. */
  pointsPerDayOfWay: settingRules.price,
  renewal: z.enum(renewals, 'choice'),
  maxDevices: settingRules.devices,
  /** To how many servers of its type a new account gets, as far as there are so many. */
  waysPerAccount: z.object(ways, 'ways'),
  /** Minutes after which accounts of a host that is down get other hosts; 0: never. */
  replaceDownAfter: settingRules.minutes,
  secondFactor: z.enum(secondFactorRules, 'choice'),
  certificates: z.object(certificates),
  /** Of servers that have none of their own. */
  clientHello: z.object(hellos, 'choice'),
})
export type Settings = z.output<typeof settings>

/** Whether quotes and balances depend on each setting, and which admin form has its field. */
export const settingUses = {
  defaultCreditRate: { changesPrices: true, form: 'prices' },
  pointsPerDay: { changesPrices: true, form: 'prices' },
  pointsPerGB: { changesPrices: true, form: 'prices' },
  tunnelCreditPerDay: { changesPrices: true, form: 'prices' },
  pointsPerDayOfDevice: { changesPrices: true, form: 'prices' },
  unlimitedAccounts: { changesPrices: true, form: 'prices' },
  customAccounts: { changesPrices: true, form: 'prices' },
  firstUseWaitDays: { changesPrices: true, form: 'prices' },
  pointsPerDayOfWay: { changesPrices: true, form: 'prices' },
  renewal: { changesPrices: true, form: 'prices' },
  maxDevices: { changesPrices: true, form: 'prices' },
  waysPerAccount: { changesPrices: false, form: 'prices' },
  replaceDownAfter: { changesPrices: false, form: 'prices' },
  secondFactor: { changesPrices: false, form: 'secondFactor' },
  certificates: { changesPrices: false, form: 'certificates' },
  clientHello: { changesPrices: false, form: 'clientHello' },
} as const satisfies Record<
  keyof Settings,
  { changesPrices: boolean; form: 'prices' | 'secondFactor' | 'certificates' | 'clientHello' }
>
export const settingNames = Object.keys(settingUses) as (keyof Settings)[]

const usualPrice = 10

export const defaultSettings: Settings = {
  defaultCreditRate: 100,
  pointsPerDay: byType(usualPrice),
  pointsPerGB: byType(0),
  tunnelCreditPerDay: 1,
  pointsPerDayOfDevice: 0,
  unlimitedAccounts: true,
  customAccounts: true,
  firstUseWaitDays: 90,
  pointsPerDayOfWay: 0,
  renewal: 'extend',
  maxDevices: 2,
  waysPerAccount: byType(1),
  replaceDownAfter: 0,
  secondFactor: 'optional',
  certificates: {
    source: 'acme',
    acmeDirectory: 'https://acme-v02.api.letsencrypt.org/directory',
    acmeEmail: '',
  },
  clientHello: byHelloType(usualHello),
}

export const getSettings = defineCall({
  path: '/api/v1/admin/getsettings',
  access: 'admin',
  summary: 'Rates, prices and business rules',
  input: {},
  output: one(settings),
})

/** A missing VPN type keeps its value, so that a client of an earlier version can change the others. */
const changes = {
  defaultCreditRate: z.optional(settings.shape.defaultCreditRate),
  pointsPerDay: z.optional(z.partial(z.strictObject(prices, 'price'))),
  pointsPerGB: z.optional(z.partial(z.strictObject(prices, 'price'))),
  tunnelCreditPerDay: z.optional(settings.shape.tunnelCreditPerDay),
  pointsPerDayOfDevice: z.optional(settings.shape.pointsPerDayOfDevice),
  unlimitedAccounts: z.optional(z.boolean('boolean')),
  customAccounts: z.optional(z.boolean('boolean')),
  firstUseWaitDays: z.optional(settings.shape.firstUseWaitDays),
  pointsPerDayOfWay: z.optional(settings.shape.pointsPerDayOfWay),
  renewal: z.optional(settings.shape.renewal),
  maxDevices: z.optional(settings.shape.maxDevices),
  waysPerAccount: z.optional(z.partial(z.strictObject(ways, 'ways'))),
  replaceDownAfter: z.optional(settings.shape.replaceDownAfter),
  secondFactor: z.optional(settings.shape.secondFactor),
  certificates: z.optional(z.strictObject(newCertificates, 'choice')),
  clientHello: z.optional(z.partial(z.strictObject(newHellos, 'choice'))),
} satisfies Record<keyof Settings, unknown>

export const setSettings = defineCall({
  path: '/api/v1/admin/setsettings',
  access: 'admin',
  summary: 'Change some or all settings',
  input: {
    ...changes,
    basedOn: z.optional(
      z.strictObject(
        {
          ...changes,
          pointsPerDay: z.optional(z.strictObject(prices, 'price')),
          pointsPerGB: z.optional(z.strictObject(prices, 'price')),
          waysPerAccount: z.optional(z.strictObject(ways, 'ways')),
          clientHello: z.optional(z.strictObject(newHellos, 'choice')),
        },
        'basedOn',
      ),
    ),
  },
  output: one(settings),
  message: 'Settings changed',
  refusals: ['CHANGED_MEANWHILE', 'SECOND_FACTOR_MISSING', 'DNS_PROVIDER_MISSING', 'FORBIDDEN_TARGET'],
})
