import { type CountryOffer, getCountries, limits, tunnelChoices, vpnTypes } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { SelectField } from '../../../ui/field.tsx'

export interface AlsoBy extends CountryOffer {
  /** Anywhere without it. */
  countryId?: number
}

interface Props {
  /** Keys of ways; the first way of the account is not among them. */
  value: readonly string[]
  onValue: (ways: readonly string[]) => void
  disabled: boolean
}

const keyOf = (way: AlsoBy) => JSON.stringify(way)
export const wayOf = (key: string): AlsoBy => JSON.parse(key)

/**
 * Further ways of the account: one more field appears for each that is chosen. Countries only where they sell the type,
 * but any location for every type, because a server may have no country.
 */
export function AlsoByFields({ value, onValue, disabled }: Props) {
  const { t } = useTranslation('reseller')
  const { t: tNew } = useTranslation('reseller/accounts/new')
  const language = useLanguage()
  const { data } = useRead(getCountries, {})
  const countries = data?.items ?? []
  // A server that implements only spec.md sells no further ways.
  if (value.length === 0 && countries.every(({ countryOffers }) => countryOffers === undefined)) return null
  const labelOf = ({ accountVPNType, accountTunnelType, countryId }: AlsoBy) => {
    const country = countries.find((one) => one.countryId === countryId)
    return [
      t(`vpnTypes.${accountVPNType}`),
      ...(accountTunnelType ? [t(`accounts.tunnelTypes.${accountTunnelType}`)] : []),
      countryId === undefined ? tNew('accounts.anyLocation') : (country?.countryName ?? countryId),
    ].join(' · ')
  }
  const offered: readonly AlsoBy[] = [
    ...vpnTypes.flatMap((accountVPNType) =>
      tunnelChoices(accountVPNType).map((accountTunnelType) => ({ accountVPNType, accountTunnelType })),
    ),
    ...countries.flatMap(({ countryId, countryOffers = [] }) =>
      countryOffers.map(({ accountVPNType, accountTunnelType }) => ({
        accountVPNType,
        accountTunnelType,
        countryId,
      })),
    ),
  ]
  /** What is chosen stays a row, even if it is no longer offered, because it is still sent. */
  const rowsFor = (chosen: string) =>
    [...new Set([...offered.map(keyOf), ...(chosen ? [chosen] : [])])]
      .map((key) => ({ value: key, label: labelOf(wayOf(key)) }))
      .sort((one, other) => one.label.localeCompare(other.label))
  const fields = value.length < limits.waysMax - 1 ? [...value, ''] : value
  return fields.map((chosen, index) => (
    <SelectField
      key={index}
      label={
        index === 0
          ? tNew('accounts.alsoBy')
          : tNew('accounts.alsoByNext', { number: formatNumber(index + 1, language) })
      }
      value={chosen}
      onValue={(next) => onValue(value.toSpliced(index, 1, ...(next ? [next] : [])))}
      disabled={disabled}
      hint={index === 0 && tNew('accounts.alsoByHint')}
      options={[{ value: '', label: tNew('accounts.alsoByNone') }, ...rowsFor(chosen)]}
    />
  ))
}
