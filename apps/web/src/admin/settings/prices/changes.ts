import { renewals, type Settings, setSettings, type VpnType, vpnTypes } from '@kelid/contract'
import { brokenRules } from '../../../lib/form.ts'
import { oneOf } from '../../kit/address-filter.ts'
import { parseNumber } from '../../kit/parse-number.ts'
import { type PriceName, priceNames, type TypedName, typedNames } from '../setting-text.ts'

type FieldName = Exclude<PriceName, TypedName> | `${TypedName}.${VpnType}`
export type FieldTexts = Readonly<Record<FieldName, string>>
/** Only edited fields; the others follow the current settings. */
export type Edits = Partial<FieldTexts>
type Prices = Pick<Settings, PriceName>

const textsByType = (settings: Settings) =>
  Object.fromEntries(
    typedNames.flatMap((name) => vpnTypes.map((type) => [`${name}.${type}`, String(settings[name][type])])),
  ) as Record<`${TypedName}.${VpnType}`, string>

export const textsOf = (settings: Settings, edits: Edits): FieldTexts => ({
  defaultCreditRate: String(settings.defaultCreditRate),
  ...textsByType(settings),
  tunnelCreditPerDay: String(settings.tunnelCreditPerDay),
  pointsPerDayOfWay: String(settings.pointsPerDayOfWay),
  pointsPerDayOfDevice: String(settings.pointsPerDayOfDevice),
  unlimitedAccounts: String(settings.unlimitedAccounts),
  customAccounts: String(settings.customAccounts),
  firstUseWaitDays: String(settings.firstUseWaitDays),
  renewal: settings.renewal,
  maxDevices: String(settings.maxDevices),
  replaceDownAfter: String(settings.replaceDownAfter),
  ...edits,
})

const byType = (name: TypedName, texts: FieldTexts) =>
  Object.fromEntries(vpnTypes.map((type) => [type, parseNumber(texts[`${name}.${type}`])])) as Record<
    VpnType,
    number
  >

const pricesOf = (texts: FieldTexts): Prices => ({
  defaultCreditRate: parseNumber(texts.defaultCreditRate),
  pointsPerDay: byType('pointsPerDay', texts),
  tunnelCreditPerDay: parseNumber(texts.tunnelCreditPerDay),
  pointsPerGB: byType('pointsPerGB', texts),
  pointsPerDayOfWay: parseNumber(texts.pointsPerDayOfWay),
  pointsPerDayOfDevice: parseNumber(texts.pointsPerDayOfDevice),
  unlimitedAccounts: texts.unlimitedAccounts === 'true',
  customAccounts: texts.customAccounts === 'true',
  firstUseWaitDays: parseNumber(texts.firstUseWaitDays),
  renewal: oneOf(renewals, texts.renewal) ?? renewals[0],
  maxDevices: parseNumber(texts.maxDevices),
  replaceDownAfter: parseNumber(texts.replaceDownAfter),
  waysPerAccount: byType('waysPerAccount', texts),
})

export function brokenRulesOf(texts: FieldTexts): Readonly<Record<string, string>> {
  const prices = pricesOf(texts)
  const { pointsPerDay: _, pointsPerGB: __, waysPerAccount: ___, ...rest } = prices
  const errors = brokenRules(setSettings, rest)
  for (const name of typedNames)
    for (const type of vpnTypes) {
      // An error of a record does not name its entry, so each is checked alone.
      const rule = brokenRules(setSettings, { [name]: { [type]: prices[name][type] } })[name]
      if (rule) errors[`${name}.${type}`] = rule
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
