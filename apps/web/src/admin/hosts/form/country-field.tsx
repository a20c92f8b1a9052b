import { getCountries, RefusedByServer } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../shared/reads/query.ts'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { SelectField } from '../../../ui/field.tsx'
import { CountryName } from '../host/country-name.tsx'

interface Props {
  value: string
  onValue: (countryId: string) => void
  note?: string | undefined
  disabled: boolean
}

/** '0' means none. The form works without the list, so a failed read is only a warning. */
export function CountryField({ value, onValue, note, disabled }: Props) {
  const { t } = useTranslation('admin')
  const countries = useRead(getCountries, {})
  const failure = t(
    countries.error instanceof RefusedByServer ? 'client.fetchCountriesFailed' : 'client.fetchingCountries',
  )
  useReadNotice(countries.error, failure)
  const items = countries.data?.items ?? []
  const selected = items.find(({ countryId }) => String(countryId) === value)
  const isUnknown = value !== '0' && !selected
  return (
    <SelectField
      label={t('hosts.country')}
      name="countryId"
      value={value}
      onValue={onValue}
      disabled={disabled}
      error={countries.isError ? failure : note}
      hint={selected && <CountryName country={selected} />}
      options={[
        { value: '0', label: t('hosts.noCountry') },
        ...(isUnknown ? [{ value, label: value }] : []),
        ...items.map(({ countryId, countryName }) => ({ value: String(countryId), label: countryName })),
      ]}
    />
  )
}
