import { compensate, getCompensations, quoteCompensation } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useActOnce } from '../../kit/act-once.ts'
import { type OutageValues, orderOf, type Quote, quoteBodyOf } from './outage.ts'
import { QuoteFacts } from './quote-facts.tsx'
import type { Subject } from './subject.ts'
import { useSubjectName } from './subject-name.tsx'

interface Props {
  subject: Subject
  values: OutageValues
  quote: Quote
  onGiven: () => void
  onClose: () => void
}

/** One idempotency key: a double press or a retry gives the days once. */
export function ConfirmGift({ subject, values, quote: initialQuote, onGiven, onClose }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { name } = useSubjectName(subject)
  const [quote, setQuote] = useState(initialQuote)
  const once = useActOnce(compensate, [getCompensations, quoteCompensation], subject.uuid)
  const order = orderOf(subject, values, quote)
  const count = (value: number) => formatNumber(value, language)
  return (
    <ActDialog
      title={t('compensations.confirmTitle', { name })}
      confirm={t('compensations.confirm', { count: order.days, days: count(order.days) })}
      isReady={quote.accounts > 0}
      once={once}
      onClose={onClose}
      onChanged={async () => setQuote(await read(quoteCompensation, quoteBodyOf(subject, values)))}
      onConfirm={async () => {
        const { compensationAccounts: accounts } = await once.send(order)
        notify(t('compensations.begun', { count: accounts, shown: count(accounts) }), 'success')
        onGiven()
      }}
    >
      <p>
        {t('compensations.confirmText', {
          count: quote.accounts,
          accounts: count(quote.accounts),
          days: count(order.days),
          name,
        })}
      </p>
      <QuoteFacts quote={quote} reason={values.reason} />
    </ActDialog>
  )
}
