import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { PlanChoice, withoutPlan } from '../purchase/plan-choice.tsx'
import { usePlans } from '../purchase/use-plans.ts'
import styles from './new-account-form.module.css'
import { NewAccountForm } from './new-account-form.tsx'
import { PlanForm } from './plan-form.tsx'

/** Plans first, and the fields of an account without one behind the last choice. */
export function NewAccountChoice({ onCreated }: { onCreated: (accountName: string) => void }) {
  const { t } = useTranslation('reseller')
  const { t: tNew } = useTranslation('reseller/accounts/new')
  const { plans, customAllowed, ...read } = usePlans({})
  const [choice, setChoice] = useState<string>()
  const [name, setName] = useState('')
  const [isCreated, setCreated] = useState(false)
  if (read.isPending) return <Loading mode="skeleton" />
  const plan =
    choice === withoutPlan && customAllowed
      ? undefined
      : (plans.find(({ planUUID }) => planUUID === choice) ?? plans[0])
  const form = {
    name,
    onName: setName,
    onCreated: (accountName: string) => {
      setCreated(true)
      onCreated(accountName)
    },
  }
  return (
    <div className={styles.form}>
      {read.error && <ReadFailed error={read.error} text={t('accounts.plan.failed')} onRetry={read.retry} />}
      {plans.length > 0 && (
        <PlanChoice
          plans={plans}
          customAllowed={customAllowed}
          value={plan?.planUUID ?? withoutPlan}
          onValue={setChoice}
          disabled={isCreated}
          showsWays
        />
      )}
      {plan && <PlanForm key={plan.planUUID} plan={plan} {...form} />}
      {!plan && customAllowed && <NewAccountForm {...form} />}
      {!plan && !customAllowed && <p>{tNew('accounts.plan.none')}</p>}
    </div>
  )
}
