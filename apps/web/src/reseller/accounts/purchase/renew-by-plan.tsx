import { type Account, type PlanOffer, quoteByPlan } from '@kelid/contract'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { explain, notifyError } from '../../../calls/explain.ts'
import { formatDate } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import styles from '../../../shared/dialogs/dialog-form.module.css'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { QuotePanel } from './quote-panel.tsx'
import { useQuoteOf } from './use-quote.ts'
import { useRenewal } from './use-renewal.ts'

interface Props {
  account: Account
  plan: PlanOffer
  onBusy: (isBusy: boolean) => void
  onClose: () => void
}

export function RenewByPlan({ account, plan, onBusy, onClose }: Props) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const renewal = useRenewal(account)
  const { accountUUID, accountName: name } = account
  const read = useQuoteOf(quoteByPlan, { accountUUID, planUUID: plan.planUUID })
  const { quote, isReady } = read

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady || !quote || renewal.isPending) return
    onBusy(true)
    try {
      const renewed = await renewal.renewBy(plan.planUUID, quote)
      if (!renewed) return
      notify(
        t('accounts.renew.done', { name, date: formatDate(renewed.accountExpireDate, language) }),
        'success',
      )
      onClose()
    } catch (error) {
      notifyError(t, error)
    } finally {
      onBusy(false)
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <p className={styles.quiet}>
        {t('accounts.renew.from')}{' '}
        <When date={account.accountExpireDate} words={formatDate(account.accountExpireDate, language)} />
      </p>
      <QuotePanel read={read} waiting="" expiryLabel={t('accounts.renew.to')} />
      {renewal.error && <Warning>{explain(t, renewal.error).text}</Warning>}
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        <Button kind="primary" type="submit" isBusy={renewal.isPending} disabled={!isReady}>
          {t(renewal.isPending ? 'accounts.renew.busy' : 'accounts.renew.confirm')}
        </Button>
      </div>
    </form>
  )
}
