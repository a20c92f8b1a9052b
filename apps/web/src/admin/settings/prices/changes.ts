import { renewals, type Settings, setSettings, type VpnType, vpnTypes } from '@kelid/contract'
import { brokenRules } from '../../../lib/form.ts'
import { oneOf } from '../../kit/address-filter.ts'
import { parseNumber } from '../../kit/parse-number.ts'
import { type PriceName, priceNames } from '../setting-text.ts'

type FieldName = Exclude<PriceName, 'pointsPerDay'> | VpnType
/** The fields of the form as they stand; a price by VPN type has the name of the type. */
export type Typed = Readonly<Record<FieldName, string>>
/** Those that were typed into. The others follow what is in force, whoever changes it. */
export type Edits = Partial<Typed>
/** Those of the settings that are prices and rules. */
type Prices = Pick<Settings, PriceName>

const byType = <Value>(of: (type: VpnType) => Value) =>
  Object.fromEntries(vpnTypes.map((type) => [type, of(type)])) as Record<VpnType, Value>

export const typedOf = (settings: Settings, edits: Edits): Typed => ({
  defaultCreditRate: String(settings.defaultCreditRate),
  ...byType((type) => String(settings.pointsPerDay[type])),
  tunnelCreditPerDay: String(settings.tunnelCreditPerDay),
  renewal: settings.renewal,
  maxDevices: String(settings.maxDevices),
  ...edits,
})

const pricesOf = (typed: Typed): Prices => ({
  defaultCreditRate: parseNumber(typed.defaultCreditRate),
  pointsPerDay: byType((type) => parseNumber(typed[type])),
  tunnelCreditPerDay: parseNumber(typed.tunnelCreditPerDay),
  renewal: oneOf(renewals, typed.renewal) ?? renewals[0],
  maxDevices: parseNumber(typed.maxDevices),
})

/** The broken rule of each field. */
export function wrongOf(typed: Typed): Readonly<Record<string, string>> {
  const { pointsPerDay, ...rest } = pricesOf(typed)
  const wrong = brokenRules(setSettings, rest)
  for (const type of vpnTypes) {
    // A record's broken rule does not say which of its prices broke it: each is asked about as the price that it is.
    const rule = brokenRules(setSettings, { tunnelCreditPerDay: pointsPerDay[type] }).tunnelCreditPerDay
    if (rule) wrong[type] = rule
  }
  return wrong
}

/** Only what differs from what is in force is sent: somebody else's change of another price stands. */
export function changesOf(settings: Settings, edits: Edits): Partial<Prices> {
  const [before, wanted] = [{}, edits].map((some) => pricesOf(typedOf(settings, some))) as [Prices, Prices]
  const isChanged = (name: PriceName) => JSON.stringify(before[name]) !== JSON.stringify(wanted[name])
  return partOf(wanted, priceNames.filter(isChanged))
}

export const partOf = (prices: Prices, names: readonly PriceName[]): Partial<Prices> =>
  Object.fromEntries(names.map((name) => [name, prices[name]]))
