import { compensate, quoteCompensation, RefusedByServer } from '@kelid/contract'
import { type FormEvent, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules, useForm } from '../../../lib/form.ts'
import { notify } from '../../../lib/notices.ts'
import dialog from '../../../shared/dialogs/dialog-form.module.css'
import { useRead } from '../../../shared/reads/query.ts'
import { useDebounced } from '../../../shared/use-debounced.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useBind } from '../../kit/bind.ts'
import { DateField } from '../../kit/date-field.tsx'
import { ReadWarning } from '../../kit/read-warning.tsx'
import { ReasonField } from '../../kit/reason-field.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { useRuleText } from '../../kit/use-rule-text.ts'
import { ConfirmGift } from './confirm-gift.tsx'
import styles from './give.module.css'
import { emptyOutage, type OutageValues, orderOf, type Quote, quoteBodyOf } from './outage.ts'
import { QuoteFacts } from './quote-facts.tsx'
import type { Subject } from './subject.ts'

export function GiveForm({ subject }: { subject: Subject }) {
  const { t } = useTranslation('admin')
  const toBody = useCallback((values: OutageValues) => orderOf(subject, values, undefined), [subject])
  const form = useForm(compensate, emptyOutage, toBody)
  const { values } = form
  const bind = useBind(form, false)
  const debounced = useDebounced(JSON.stringify(quoteBodyOf(subject, values)), 250)
  const quoteBody = JSON.parse(debounced) as ReturnType<typeof quoteBodyOf>
  const canQuote = Object.keys(brokenRules(quoteCompensation, quoteBody)).length === 0
  const quote = useRead(quoteCompensation, quoteBody, { isEnabled: canQuote })
  const isCurrent = debounced === JSON.stringify(quoteBodyOf(subject, values))
  const currentQuote = canQuote && isCurrent ? quote.data : undefined
  const refusedFields = quote.error instanceof RefusedByServer ? quote.error.fields : {}
  const refused = canQuote && isCurrent ? refusedFields : {}
  /** Refused fields show their own errors, so this is only about the rest. */
  const failure = canQuote && Object.keys(refusedFields).length === 0 ? quote.error : null
  const ruleText = useRuleText()
  /** Only the server can tell that a moment lies in the future; its error is shown at the field. */
  const bindMoment = (name: 'downFrom' | 'downUntil') => {
    const field = bind(name)
    return { ...field, error: field.error ?? ruleText(refused[name]) }
  }
  /** The order is frozen when the dialog opens, because a retry must send the same one. */
  const [order, setOrder] = useState<{ values: OutageValues; quote: Quote }>()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!form.isValid) {
      form.showAll()
      notify(t('client.incompleteInformation'), 'error')
    } else if (currentQuote && currentQuote.accounts > 0) setOrder({ values, quote: currentQuote })
  }

  return (
    <>
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextField {...bind('days')} label={t('compensations.days')} inputMode="numeric" isLatin />
        <div className={styles.pair}>
          <DateField {...bindMoment('downFrom')} label={t('compensations.downFrom')} withTime />
          <DateField {...bindMoment('downUntil')} label={t('compensations.downUntil')} withTime />
        </div>
        <p className={dialog.quiet}>{t('compensations.downHint')}</p>
        <ReasonField
          value={values.reason}
          onValue={(reason) => form.set('reason', reason)}
          rule={brokenRules(compensate, toBody(values)).reason}
          hint={t('compensations.reasonHint')}
        />
        <div aria-live="polite" aria-busy={canQuote && quote.isFetching}>
          {currentQuote && (
            <div className={styles.preview}>
              <QuoteFacts quote={currentQuote} />
            </div>
          )}
        </div>
        {failure && <ReadWarning error={failure} />}
        <Button
          kind="primary"
          type="submit"
          icon={adminShapes.gift}
          isWide
          disabled={form.isValid && !(currentQuote && currentQuote.accounts > 0)}
        >
          {t('compensations.give')}
        </Button>
      </form>
      {order && (
        <ConfirmGift
          subject={subject}
          {...order}
          onGiven={() => {
            form.set('days', '')
            form.set('reason', '')
          }}
          onClose={() => setOrder(undefined)}
        />
      )}
    </>
  )
}
