import { type Account, addData, quoteData } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { explain, notifyError } from '../../../calls/explain.ts'
import { notify } from '../../../lib/notices.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import styles from '../../../shared/dialogs/dialog-form.module.css'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useAct } from '../../../shared/reads/query.ts'
import { Button } from '../../../ui/button.tsx'
import { putAccount } from '../account-cache.ts'
import { areGigabytes, DataField } from './data-field.tsx'
import { gigabytesOf } from './days.ts'
import { renewalKeys, renewalOf } from './purchase-keys.ts'
import { QuotePanel } from './quote-panel.tsx'
import { forgetChangedQuote, quotedAs } from './quoted.ts'
import { useQuoteOf } from './use-quote.ts'
import { readsAfterCharge } from './use-renewal.ts'

export function AddDataForm({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation('reseller')
  const counted = useCounted()
  const client = useQueryClient()
  const [input, setInput] = useState('')
  const isRunning = useRef(false)
  const act = useAct(addData, { refreshes: readsAfterCharge })
  const { accountUUID, accountName: name } = account
  const accountDataLimit = gigabytesOf(input)
  const read = useQuoteOf(quoteData, areGigabytes(input) ? { accountUUID, accountDataLimit } : null)
  const { quote, isReady } = read

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady || isRunning.current) return
    isRunning.current = true
    const purchase = renewalOf(account, 0, accountDataLimit)
    try {
      const changed = await act.mutateAsync({
        body: { accountUUID, accountDataLimit, ...(quote && quotedAs(quote)) },
        idempotencyKey: renewalKeys.of(purchase),
      })
      renewalKeys.done(purchase)
      putAccount(client, changed)
      notify(t('accounts.data.done', { name, ...counted(accountDataLimit) }), 'success')
      onClose()
    } catch (error) {
      isRunning.current = false
      forgetChangedQuote(client, error)
      notifyError(t, error)
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <DataField value={input} onValue={setInput} hint={t('accounts.data.hint')} disabled={act.isPending} />
      <QuotePanel
        read={read}
        waiting={t('accounts.data.waiting')}
        expiryLabel={t('accounts.quote.expires')}
      />
      {act.error && <Warning>{explain(t, act.error).text}</Warning>}
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        <Button kind="primary" type="submit" isBusy={act.isPending} disabled={!isReady}>
          {t(act.isPending ? 'accounts.data.busy' : 'accounts.data.add')}
        </Button>
      </div>
    </form>
  )
}
