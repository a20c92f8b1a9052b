import { newByPlan, type PlanOffer, quoteByPlan } from '@kelid/contract'
import type { FormEvent, KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useForm } from '../../../lib/form.ts'
import { notify } from '../../../lib/notices.ts'
import { useRuleText } from '../../../lib/use-rule-text.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useAct } from '../../../shared/reads/query.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { QuotePanel } from '../purchase/quote-panel.tsx'
import { quotedByPlan } from '../purchase/quoted.ts'
import { useQuoteOf } from '../purchase/use-quote.ts'
import { CountryField } from './country-field.tsx'
import styles from './new-account-form.module.css'
import { TargetField, targetOf } from './target-field.tsx'
import { readsAfterCreation, useCreation } from './use-creation.ts'

interface Props {
  plan: PlanOffer
  name: string
  onName: (accountName: string) => void
  onCreated: (accountName: string) => void
}

/** Only the name, and what the plan leaves open. */
export function PlanForm({ plan, name, onName, onCreated }: Props) {
  const { t } = useTranslation('reseller')
  const { t: tNew } = useTranslation('reseller/accounts/new')
  const ruleText = useRuleText()
  const { planUUID } = plan
  const first = plan.planWays[0]
  const isOpen = first?.countryId === 0
  const openOf = ({ countryId, target }: { countryId: string; target: string }) => ({
    ...(isOpen && countryId && { countryId: Number(countryId) }),
    ...targetOf(target),
  })
  const form = useForm(newByPlan, { accountName: name, countryId: '', target: '' }, (values) => ({
    accountName: values.accountName.trim(),
    planUUID,
    ...openOf(values),
  }))
  const { values } = form
  const accountName = values.accountName.trim()
  const open = openOf(values)
  const read = useQuoteOf(quoteByPlan, { planUUID, ...open })
  const { quote } = read
  const send = useAct(newByPlan, { refreshes: readsAfterCreation })
  const { isBusy, failed, create } = useCreation(() => onCreated(accountName))
  const isReady = form.isValid && read.isReady

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady || !quote || isBusy) return
    const body = { accountName, planUUID, ...open }
    const asQuoted = { ...body, ...quotedByPlan(quote) }
    await create({ body, send: (idempotencyKey) => send.mutateAsync({ body: asQuoted, idempotencyKey }) })
  }

  /** A disabled button ignores Enter, so the form says why. */
  function explainEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || form.isValid || !(event.target instanceof HTMLInputElement)) return
    form.showAll()
    notify(t('client.incompleteInformation'), 'error')
  }

  const place = {
    vpnType: first?.accountVPNType ?? '',
    tunnelType: first?.accountTunnelType ?? '',
    disabled: isBusy,
  } as const
  return (
    <form
      className={styles.form}
      onSubmit={(event) => void submit(event)}
      onKeyDown={explainEnter}
      noValidate
    >
      <TextField
        label={t('accounts.name')}
        value={values.accountName}
        onValue={(value) => {
          form.set('accountName', value)
          onName(value)
        }}
        onBlur={() => values.accountName && form.touch('accountName')}
        error={ruleText(form.ruleOf('accountName'))}
        hint={tNew('accounts.nameHint')}
        name="accountName"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        disabled={isBusy}
        isLatin
      />
      {isOpen && (
        <CountryField
          {...place}
          value={values.countryId}
          onValue={(id) => {
            form.set('countryId', id)
            form.set('target', '')
          }}
        />
      )}
      <TargetField
        {...place}
        countryId={isOpen ? values.countryId : String(first?.countryId ?? '')}
        value={values.target}
        onValue={(target) => form.set('target', target)}
      />
      <QuotePanel read={read} waiting="" expiryLabel={t('accounts.quote.expires')} />
      {failed && <Warning>{failed}</Warning>}
      <div className={styles.action}>
        <Button kind="primary" type="submit" isWide isBusy={isBusy} disabled={!isReady}>
          {t(isBusy ? 'accounts.creating' : 'accounts.create')}
        </Button>
      </div>
    </form>
  )
}
