import { type Settings, settingNames, settingUses, vpnTypes } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'

type Uses = typeof settingUses
export type PriceName = {
  [Name in keyof Uses]: Uses[Name]['form'] extends 'prices' ? Name : never
}[keyof Uses]
export const priceNames = settingNames.filter(
  (name): name is PriceName => settingUses[name].form === 'prices',
)

/** Settings with a value for each VPN type. */
export const typedNames = [
  'pointsPerDay',
  'pointsPerGB',
  'waysPerAccount',
] as const satisfies readonly PriceName[]
export type TypedName = (typeof typedNames)[number]
export const isTyped = (name: PriceName): name is TypedName => typedNames.some((typed) => typed === name)

export function useSettingLines() {
  const { t } = useTranslation('admin/settings')
  const language = useLanguage()
  return (settings: Settings, names: readonly PriceName[] = priceNames) =>
    names.flatMap((name): (readonly [title: string, value: string])[] => {
      if (isTyped(name))
        return vpnTypes.map((type) => [
          t(`prices.${name}`, { type: t(`vpnTypes.${type}`) }),
          formatNumber(settings[name][type], language),
        ])
      if (name === 'renewal') return [[t('prices.renewal'), t(`prices.renewals.${settings.renewal}`)]]
      if (name === 'unlimitedAccounts' || name === 'customAccounts')
        return [[t(`prices.${name}`), t(`prices.sold.${settings[name]}`)]]
      return [[t(`prices.${name}`), formatNumber(settings[name], language)]]
    })
}
