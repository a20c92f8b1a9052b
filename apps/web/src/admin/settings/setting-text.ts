import { type Settings, vpnTypes } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'

/** What prices and rules are made of, a line each; a price by VPN type is several. */
export const priceNames = [
  'defaultCreditRate',
  'pointsPerDay',
  'tunnelCreditPerDay',
  'renewal',
  'maxDevices',
] as const
export type PriceName = (typeof priceNames)[number]

/** Settings in words, their names and values; all of them unless some are named. */
export function useSettingLines() {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  return (settings: Settings, names: readonly PriceName[] = priceNames) =>
    names.flatMap((name): (readonly [title: string, value: string])[] => {
      if (name === 'pointsPerDay')
        return vpnTypes.map((type) => [
          t('prices.pointsPerDay', { type: t(`vpnTypes.${type}`) }),
          formatNumber(settings.pointsPerDay[type], language),
        ])
      if (name === 'renewal') return [[t('prices.renewal'), t(`prices.renewals.${settings.renewal}`)]]
      return [[t(`prices.${name}`), formatNumber(settings[name], language)]]
    })
}
