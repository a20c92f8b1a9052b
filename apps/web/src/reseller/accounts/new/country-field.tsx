import { getCountries, RefusedByServer, type TunnelType, type VpnType } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../shared/reads/query.ts'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { SelectField } from '../../../ui/field.tsx'
import styles from './new-account-form.module.css'

interface Props {
  vpnType: VpnType | ''
  tunnelType: TunnelType | ''
  value: string
  onValue: (countryId: string) => void
  disabled: boolean
}

/**
 * A server that implements only spec.md does not say which countries are sold, so all are offered. The country is
 * optional, so a failed read is only a warning.
 */
export function CountryField({ vpnType, tunnelType, value, onValue, disabled }: Props) {
  const { t } = useTranslation('reseller')
  const { t: tNew } = useTranslation('reseller/accounts/new')
  const countries = useRead(getCountries, {})
  const failure = t(
    countries.error instanceof RefusedByServer ? 'client.fetchCountriesFailed' : 'client.fetchingCountries',
  )
  useReadNotice(countries.error, failure)
  const all = countries.data?.items ?? []
  const items = all.filter(
    ({ countryOffers: offers }) =>
      offers === undefined ||
      offers.some(
        ({ accountVPNType, accountTunnelType }) =>
          (vpnType === '' || accountVPNType === vpnType) &&
          (tunnelType === '' || accountTunnelType === tunnelType),
      ),
  )
  const selected = items.find(({ countryId }) => String(countryId) === value)
  return (
    <SelectField
      label={t('accounts.country')}
      value={value}
      onValue={onValue}
      disabled={disabled}
      error={countries.isError ? failure : undefined}
      hint={
        selected ? (
          <span className={styles.chosen}>
            <img src={selected.countryFlag} alt="" width="20" height="15" />
            <bdi>{selected.countryName}</bdi>
          </span>
        ) : (
          tNew('accounts.countryHint')
        )
      }
      options={[
        { value: '', label: tNew('accounts.anyLocation') },
        ...items.map(({ countryId, countryName }) => ({ value: String(countryId), label: countryName })),
      ]}
    />
  )
}
