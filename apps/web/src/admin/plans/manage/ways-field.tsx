import { getCountries, limits, tunnelChoices, vpnTypes } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { usualWay, type WayValues } from './plan-values.ts'
import styles from './plans.module.css'

interface Props {
  ways: readonly WayValues[]
  onWays: (ways: readonly WayValues[]) => void
}

/** The form works without the countries, so a failed read is only a warning. */
export function WaysField({ ways, onWays }: Props) {
  const { t } = useTranslation('admin/plans')
  const language = useLanguage()
  const countries = useRead(getCountries, {})
  useReadNotice(countries.error, t('client.fetchingCountries'))
  const items = countries.data?.items ?? []
  const isKnown = (id: string) => id === '0' || items.some(({ countryId }) => String(countryId) === id)
  const change = (index: number, next: Partial<WayValues>) =>
    onWays(ways.map((way, at) => (at === index ? { ...way, ...next } : way)))
  return (
    <>
      {ways.map((way, index) => {
        const number = formatNumber(index + 1, language)
        const choices = tunnelChoices(way.accountVPNType)
        return (
          <fieldset key={index} className={styles.way}>
            <legend>{t('plans.way', { number })}</legend>
            <SelectField
              label={t('plans.vpnType')}
              value={way.accountVPNType}
              onValue={(accountVPNType) =>
                change(index, { accountVPNType, accountTunnelType: tunnelChoices(accountVPNType)[0] ?? '' })
              }
              options={vpnTypes.map((value) => ({ value, label: t(`vpnTypes.${value}`) }))}
            />
            <div className={styles.pair}>
              <SelectField
                label={t('plans.tunnel')}
                value={way.accountTunnelType}
                onValue={(accountTunnelType) => change(index, { accountTunnelType })}
                disabled={choices.length < 2}
                options={choices.map((value) => ({ value, label: value || t('plans.noTunnel') }))}
              />
              <SelectField
                label={t('plans.country')}
                value={way.countryId}
                onValue={(countryId) => change(index, { countryId })}
                options={[
                  { value: '0', label: t('plans.anyCountry') },
                  ...(isKnown(way.countryId) ? [] : [{ value: way.countryId, label: way.countryId }]),
                  ...items.map(({ countryId, countryName }) => ({
                    value: String(countryId),
                    label: countryName,
                  })),
                ]}
              />
            </div>
            {ways.length > 1 && (
              <div>
                <Button icon={adminShapes.trash} onClick={() => onWays(ways.toSpliced(index, 1))}>
                  {t('plans.removeWay', { number })}
                </Button>
              </div>
            )}
          </fieldset>
        )
      })}
      <div>
        <Button
          icon={adminShapes.plus}
          disabled={ways.length >= limits.waysMax}
          onClick={() => onWays([...ways, usualWay])}
        >
          {t('plans.addWay')}
        </Button>
      </div>
    </>
  )
}
