import type { Account } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { PlanChoice, withoutPlan } from './plan-choice.tsx'
import { RenewByPlan } from './renew-by-plan.tsx'
import { RenewForm } from './renew-form.tsx'
import { usePlans } from './use-plans.ts'

interface Props {
  account: Account
  onClose: () => void
}

/** By a plan that fits the account, the last one first, or with days and GB of one's own. */
export function RenewChoice({ account, onClose }: Props) {
  const { t } = useTranslation('reseller')
  const { accountUUID, accountPlan } = account
  const { plans, customAllowed, ...read } = usePlans({ accountUUID })
  const [choice, setChoice] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  if (read.isPending) return <Loading />
  const planned = (uuid: string | undefined) => plans.find(({ planUUID }) => planUUID === uuid)
  const usual = planned(accountPlan?.planUUID) ?? (customAllowed ? undefined : plans[0])
  const plan = choice === withoutPlan && customAllowed ? undefined : (planned(choice) ?? usual)
  return (
    <>
      {read.error && <ReadFailed error={read.error} text={t('accounts.plan.failed')} onRetry={read.retry} />}
      {plans.length > 0 && (
        <PlanChoice
          plans={plans}
          customAllowed={customAllowed}
          value={plan?.planUUID ?? withoutPlan}
          onValue={setChoice}
          disabled={isBusy}
        />
      )}
      {plan ? (
        <RenewByPlan account={account} plan={plan} onBusy={setBusy} onClose={onClose} />
      ) : (
        <RenewForm account={account} onClose={onClose} />
      )}
    </>
  )
}
