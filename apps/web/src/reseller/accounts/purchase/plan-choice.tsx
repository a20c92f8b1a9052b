import type { PlanOffer } from '@kelid/contract'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import styles from './plan-choice.module.css'

/** Beside the UUIDs of plans. */
export const withoutPlan = 'custom'

interface Props {
  plans: readonly PlanOffer[]
  customAllowed: boolean
  value: string
  onValue: (value: string) => void
  disabled: boolean
  /** A renewal changes neither types nor locations. */
  showsWays?: boolean
}

export function PlanChoice({ plans, customAllowed, value, onValue, disabled, showsWays = false }: Props) {
  const { t } = useTranslation('reseller')
  const name = useId()
  const option = (key: string, content: ReactNode) => (
    <label key={key} className={styles.option}>
      <input
        type="radio"
        name={name}
        checked={key === value}
        onChange={() => onValue(key)}
        disabled={disabled}
      />
      {content}
    </label>
  )
  return (
    <fieldset className={styles.plans}>
      <legend>{t('accounts.plan.choose')}</legend>
      {plans.map((plan) => option(plan.planUUID, <Offer plan={plan} showsWays={showsWays} />))}
      {customAllowed &&
        option(
          withoutPlan,
          <span className={styles.what}>
            <span className={styles.name}>{t('accounts.plan.custom')}</span>
            <span className={styles.facts}>
              {t(showsWays ? 'accounts.plan.customHint' : 'accounts.plan.customDays')}
            </span>
          </span>,
        )}
    </fieldset>
  )
}

function Offer({ plan, showsWays }: { plan: PlanOffer; showsWays: boolean }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const counted = useCounted()
  const { accountDataLimit: gigabytes, accountDataReset: reset } = plan
  const data =
    gigabytes === null
      ? t('accounts.plan.noLimit')
      : t(reset === 'monthly' ? 'accounts.plan.monthly' : 'accounts.plan.gigabytes', counted(gigabytes))
  const facts = [
    t('accounts.plan.days', counted(plan.accountDuration)),
    data,
    t('accounts.plan.devices', counted(plan.planDevices)),
    ...(showsWays && plan.accountStart === 'firstUse' ? [t('accounts.plan.firstUse')] : []),
  ]
  return (
    <>
      <span className={styles.what}>
        <bdi className={styles.name}>{plan.planName}</bdi>
        <span className={styles.facts}>{facts.join(' · ')}</span>
        {showsWays &&
          plan.planWays.map((way, index) => (
            <span key={index} className={styles.facts}>
              {t(`vpnTypes.${way.accountVPNType}`)}
              {way.countryName && (
                <>
                  {' · '}
                  <bdi>{way.countryName}</bdi>
                </>
              )}
            </span>
          ))}
      </span>
      <span className={styles.price}>
        <bdi>{t('accounts.quote.points', counted(plan.planPoints))}</bdi>
        {plan.planTunnelCredit > 0 && (
          <span className={styles.facts}>
            {t('accounts.plan.tunnelCredit', { shown: formatNumber(plan.planTunnelCredit, language) })}
          </span>
        )}
      </span>
    </>
  )
}
