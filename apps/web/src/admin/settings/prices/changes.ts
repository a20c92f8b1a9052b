import { renewals, type Settings, setSettings, type VpnType, vpnTypes } from '@kelid/contract'
import { brokenRules } from '../../../lib/form.ts'
import { oneOf } from '../../kit/address-filter.ts'
import { parseNumber } from '../../kit/parse-number.ts'
import { type PriceName, priceNames } from '../setting-text.ts'

type FieldName = Exclude<PriceName, 'pointsPerDay'> | VpnType
export type FieldTexts = Readonly<Record<FieldName, string>>
/** Only edited fields; the others follow the current settings. */
export type Edits = Partial<FieldTexts>
type Prices = Pick<Settings, PriceName>

const byType = <Value>(of: (type: VpnType) => Value) =>
  Object.fromEntries(vpnTypes.map((type) => [type, of(type)])) as Record<VpnType, Value>

export const textsOf = (settings: Settings, edits: Edits): FieldTexts => ({
  defaultCreditRate: String(settings.defaultCreditRate),
  ...byType((type) => String(settings.pointsPerDay[type])),
  tunnelCreditPerDay: String(settings.tunnelCreditPerDay),
  renewal: settings.renewal,
  maxDevices: String(settings.maxDevices),
  ...edits,
})

const pricesOf = (texts: FieldTexts): Prices => ({
  defaultCreditRate: parseNumber(texts.defaultCreditRate),
  pointsPerDay: byType((type) => parseNumber(texts[type])),
  tunnelCreditPerDay: parseNumber(texts.tunnelCreditPerDay),
  renewal: oneOf(renewals, texts.renewal) ?? renewals[0],
  maxDevices: parseNumber(texts.maxDevices),
})

export function brokenRulesOf(texts: FieldTexts): Readonly<Record<string, string>> {
  const { pointsPerDay, ...rest } = pricesOf(texts)
  const errors = brokenRules(setSettings, rest)
  for (const type of vpnTypes) {
    // An error of a record does not name its entry, so each price is checked alone.
    const rule = brokenRules(setSettings, { tunnelCreditPerDay: pointsPerDay[type] }).tunnelCreditPerDay
    if (rule) errors[type] = rule
  }
  return errors
}

/** Sends only changed prices, so that concurrent changes of other prices survive. */
export function changesOf(settings: Settings, edits: Edits): Partial<Prices> {
  const before = pricesOf(textsOf(settings, {}))
  const after = pricesOf(textsOf(settings, edits))
  const isChanged = (name: PriceName) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  return partOf(after, priceNames.filter(isChanged))
}

export const partOf = (prices: Prices, names: readonly PriceName[]): Partial<Prices> =>
  Object.fromEntries(names.map((name) => [name, prices[name]]))
