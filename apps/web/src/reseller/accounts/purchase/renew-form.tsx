import type { Account } from '@kelid/contract'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { explain, notifyError } from '../../../calls/explain.ts'
import { formatDate } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import styles from '../../../shared/dialogs/dialog-form.module.css'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { DataField, mayBeGigabytes } from './data-field.tsx'
import { daysOf, gigabytesOf, usualDays } from './days.ts'
import { areDays, DaysField } from './days-field.tsx'
import { QuotePanel } from './quote-panel.tsx'
import { RenewalRule } from './renewal-rule.tsx'
import { useQuote } from './use-quote.ts'
import { useRenewal } from './use-renewal.ts'

export function RenewForm({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const counted = useCounted()
  const [input, setInput] = useState(usualDays)
  const [data, setData] = useState('')
  const renewal = useRenewal(account)
  const { accountUUID, accountName: name, accountVPNType, accountTunnelType } = account
  const accountDuration = daysOf(input)
  const gigabytes = gigabytesOf(data)
  const question = {
    ...{ accountUUID, accountVPNType, accountTunnelType, accountDuration },
    ...(gigabytes > 0 && { accountDataLimit: gigabytes }),
  }
  const read = useQuote(areDays(input) && mayBeGigabytes(data) ? question : null)
  const { quote, isReady } = read

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady || renewal.isPending) return
    try {
      const renewed = await renewal.renew(accountDuration, gigabytes, quote)
      if (!renewed) return
      notify(
        t('accounts.renew.done', { name, date: formatDate(renewed.accountExpireDate, language) }),
        'success',
      )
      onClose()
    } catch (error) {
      notifyError(t, error)
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <p className={styles.quiet}>
        {t('accounts.renew.from')}{' '}
        <When date={account.accountExpireDate} words={formatDate(account.accountExpireDate, language)} />
      </p>
      <RenewalRule quoted={quote?.quoteRenewal} />
      <DaysField value={input} onValue={setInput} disabled={renewal.isPending} />
      {account.accountDataLimit && (
        <DataField
          value={data}
          onValue={setData}
          hint={t('accounts.data.optional')}
          disabled={renewal.isPending}
        />
      )}
      <QuotePanel read={read} waiting={t('accounts.quote.waitingDays')} expiryLabel={t('accounts.renew.to')}>
        {({ quoteDaysLost: lostDays }) =>
          lostDays > 0 && <Warning>{t('accounts.renew.lost', counted(lostDays))}</Warning>
        }
      </QuotePanel>
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
