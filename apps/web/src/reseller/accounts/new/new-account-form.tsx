import { newAccount, quoteAccount, tunnelChoices, vpnTypes } from '@kelid/contract'
import type { FormEvent, KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules, useForm } from '../../../lib/form.ts'
import { notify } from '../../../lib/notices.ts'
import { useRuleText } from '../../../lib/use-rule-text.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useAct } from '../../../shared/reads/query.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { useDaysHint } from '../purchase/days-field.tsx'
import { QuotePanel } from '../purchase/quote-panel.tsx'
import { quotedAs } from '../purchase/quoted.ts'
import { useQuote } from '../purchase/use-quote.ts'
import { AlsoByFields } from './also-by-fields.tsx'
import { CountryField } from './country-field.tsx'
import { emptyAccount, newAccountBody, quoteBodyOf } from './new-account.ts'
import styles from './new-account-form.module.css'
import { TargetField } from './target-field.tsx'
import { readsAfterCreation, useCreation } from './use-creation.ts'
import { VolumeFields } from './volume-fields.tsx'

interface Props {
  name?: string
  /** The name stays when another way of buying is chosen. */
  onName?: (accountName: string) => void
  onCreated: (accountName: string) => void
}

export function NewAccountForm({ name = '', onName, onCreated }: Props) {
  const { t } = useTranslation('reseller')
  const { t: tNew } = useTranslation('reseller/accounts/new')
  const ruleText = useRuleText()
  const form = useForm(newAccount, { ...emptyAccount, accountName: name }, newAccountBody)
  const { values } = form
  const send = useAct(newAccount, { refreshes: readsAfterCreation })
  const { isBusy, failed, create } = useCreation(() => onCreated(newAccountBody(values).accountName))
  const vpnType = values.accountVPNType
  const ownTunnelTypes = vpnType === '' ? [] : tunnelChoices(vpnType).filter((type) => type !== '')
  const mayBeDirect = vpnType === '' || tunnelChoices(vpnType).includes('')
  const noTunnel =
    ownTunnelTypes.length === 0 ? '–' : tNew(mayBeDirect ? 'accounts.direct' : 'accounts.choose')
  const question = quoteBodyOf(values)
  const canQuote = vpnType !== '' && Object.keys(brokenRules(quoteAccount, question)).length === 0
  const daysHint = useDaysHint()
  const read = useQuote(canQuote ? question : null)
  const { quote } = read
  const isReady = form.isValid && read.isReady

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady || isBusy) return
    const body = newAccountBody(values)
    const asQuoted = { ...body, ...(quote && quotedAs(quote)) }
    await create({ body, send: (idempotencyKey) => send.mutateAsync({ body: asQuoted, idempotencyKey }) })
  }

  /** A disabled button ignores Enter, so the form says why. */
  function explainEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || form.isValid || !(event.target instanceof HTMLInputElement)) return
    form.showAll()
    notify(t('client.incompleteInformation'), 'error')
  }

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
          onName?.(value)
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
      <div className={styles.pair}>
        <SelectField
          label={t('accounts.vpnType')}
          value={vpnType}
          onValue={(next) => {
            form.set('accountVPNType', next)
            form.set('accountTunnelType', '')
            form.set('countryId', '')
            form.set('target', '')
          }}
          error={ruleText(form.ruleOf('accountVPNType'))}
          disabled={isBusy}
          name="accountVPNType"
          options={[
            { value: '' as const, label: tNew('accounts.choose') },
            ...vpnTypes.map((value) => ({ value, label: t(`vpnTypes.${value}`) })),
          ]}
        />
        <SelectField
          label={t('accounts.tunnelType')}
          value={values.accountTunnelType}
          onValue={(next) => {
            form.set('accountTunnelType', next)
            form.set('countryId', '')
            form.set('target', '')
          }}
          error={ruleText(form.ruleOf('accountTunnelType'))}
          hint={
            ownTunnelTypes.length === 0 &&
            tNew(vpnType === '' ? 'accounts.chooseVpnTypeFirst' : 'accounts.noTunnelNeeded')
          }
          disabled={isBusy || ownTunnelTypes.length === 0}
          name="accountTunnelType"
          options={[
            { value: '' as const, label: noTunnel },
            ...ownTunnelTypes.map((value) => ({ value, label: t(`accounts.tunnelTypes.${value}`) })),
          ]}
        />
      </div>
      <div className={styles.pair}>
        <CountryField
          vpnType={vpnType}
          tunnelType={values.accountTunnelType}
          value={values.countryId}
          onValue={(id) => {
            form.set('countryId', id)
            form.set('target', '')
          }}
          disabled={isBusy}
        />
        <TextField
          label={tNew('accounts.duration')}
          value={values.accountDuration}
          onValue={(days) => form.set('accountDuration', days)}
          onBlur={() => form.touch('accountDuration')}
          error={ruleText(form.ruleOf('accountDuration'))}
          hint={daysHint}
          inputMode="numeric"
          name="accountDuration"
          autoComplete="off"
          disabled={isBusy}
          isLatin
        />
      </div>
      <TargetField
        vpnType={vpnType}
        tunnelType={values.accountTunnelType}
        countryId={values.countryId}
        value={values.target}
        onValue={(target) => form.set('target', target)}
        disabled={isBusy}
      />
      {read.isOffered && (
        <VolumeFields
          values={values}
          set={form.set}
          errorOf={(name) => ruleText(form.ruleOf(name))}
          touch={form.touch}
          disabled={isBusy}
        />
      )}
      <AlsoByFields value={values.alsoBy} onValue={(ways) => form.set('alsoBy', ways)} disabled={isBusy} />
      <QuotePanel
        read={read}
        waiting={tNew('accounts.quote.waiting')}
        expiryLabel={t('accounts.quote.expires')}
      />
      {failed && <Warning>{failed}</Warning>}
      <div className={styles.action}>
        <Button kind="primary" type="submit" isWide isBusy={isBusy} disabled={!isReady}>
          {t(isBusy ? 'accounts.creating' : 'accounts.create')}
        </Button>
      </div>
    </form>
  )
}
