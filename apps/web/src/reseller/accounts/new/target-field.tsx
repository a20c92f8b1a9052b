import { type Answer, getTargets, type TunnelType, type VpnType } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../shared/reads/query.ts'
import { SelectField } from '../../../ui/field.tsx'

type Target = Answer<typeof getTargets>['items'][number]

interface Props {
  vpnType: VpnType | ''
  tunnelType: TunnelType | ''
  countryId: string
  value: string
  onValue: (target: string) => void
  disabled: boolean
}

const keyOf = ({ accountTargetCountry, accountTargetOperator }: Target) =>
  JSON.stringify([accountTargetCountry, accountTargetOperator])

export function targetOf(key: string) {
  const [accountTargetCountry, accountTargetOperator] = key ? (JSON.parse(key) as string[]) : []
  return {
    ...(accountTargetCountry && { accountTargetCountry }),
    ...(accountTargetOperator && { accountTargetOperator }),
  }
}

/** Only where servers for this choice are meant for a country or an operator. */
export function TargetField({ vpnType, tunnelType, countryId, value, onValue, disabled }: Props) {
  const { t: tNew } = useTranslation('reseller/accounts/new')
  const { data } = useRead(getTargets, {})
  const targets = (data?.items ?? []).filter(
    (target) =>
      target.accountVPNType === vpnType &&
      target.accountTunnelType === tunnelType &&
      (countryId === '' || String(target.countryId) === countryId),
  )
  const options = new Map(
    targets.map((target) => [
      keyOf(target),
      [target.accountTargetOperator, target.accountTargetCountry].filter(Boolean).join(' · '),
    ]),
  )
  if (options.size === 0) return null
  return (
    <SelectField
      label={tNew('accounts.target')}
      value={value}
      onValue={onValue}
      disabled={disabled}
      hint={tNew('accounts.targetHint')}
      options={[
        { value: '', label: tNew('accounts.anyTarget') },
        ...[...options].map(([key, label]) => ({ value: key, label })),
      ]}
    />
  )
}
