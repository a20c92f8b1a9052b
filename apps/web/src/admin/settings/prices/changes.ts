import { renewals, type Settings, setSettings, type VpnType, vpnTypes } from '@kelid/contract'
import { brokenRules } from '../../../lib/form.ts'
import { oneOf } from '../../kit/address-filter.ts'
import { parseNumber } from '../../kit/parse-number.ts'
import { type PriceName, priceNames } from '../setting-text.ts'

type FieldName = Exclude<PriceName, 'pointsPerDay'> | VpnType
export type Typed = Readonly<Record<FieldName, string>>
/** Only edited fields; the others follow the current settings. */
export type Edits = Partial<Typed>
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

export function wrongOf(typed: Typed): Readonly<Record<string, string>> {
  const { pointsPerDay, ...rest } = pricesOf(typed)
  const wrong = brokenRules(setSettings, rest)
  for (const type of vpnTypes) {
    // An error of a record does not name its entry, so each price is checked alone.
    const rule = brokenRules(setSettings, { tunnelCreditPerDay: pointsPerDay[type] }).tunnelCreditPerDay
    if (rule) wrong[type] = rule
  }
  return wrong
}

/** Sends only changed prices, so that concurrent changes of other prices survive. */
export function changesOf(settings: Settings, edits: Edits): Partial<Prices> {
  const [before, wanted] = [{}, edits].map((some) => pricesOf(typedOf(settings, some))) as [Prices, Prices]
  const isChanged = (name: PriceName) => JSON.stringify(before[name]) !== JSON.stringify(wanted[name])
  return partOf(wanted, priceNames.filter(isChanged))
}

export const partOf = (prices: Prices, names: readonly PriceName[]): Partial<Prices> =>
  Object.fromEntries(names.map((name) => [name, prices[name]]))
