import { type Call, RefusedByServer, toLatinDigits } from '@kelid/contract'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import { useForm } from '../../../lib/form.ts'
import { notify } from '../../../lib/notices.ts'
import dialogStyles from '../../../shared/dialogs/dialog-form.module.css'
import { Button } from '../../../ui/button.tsx'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import styles from '../../../ui/form.module.css'
import { useRuleText } from '../../kit/use-rule-text.ts'
import own from './second-factor.module.css'

export interface Proof {
  password: string
  code: string
}

interface Props<Fields extends Partial<Proof>> {
  call: Call
  /** Initial empty values, which also decide what fields there are. */
  initial: Fields
  codeHint?: string
  submitLabel: string
  kind?: 'primary' | 'danger'
  /** Dialogs put the cancel button first. */
  isInDialog?: boolean
  onProof: (proof: Fields) => Promise<void>
  onCancel: () => void
}

const toBody = <Fields extends Partial<Proof>>(values: Fields): Fields =>
  values.code === undefined ? values : { ...values, code: toLatinDigits(values.code.trim()) }

const fieldOf: Readonly<Record<string, keyof Proof>> = { WRONG_CODE: 'code', WRONG_CREDENTIALS: 'password' }

export function ProofForm<Fields extends Partial<Proof>>({ call, initial, onProof, ...rest }: Props<Fields>) {
  const { t } = useTranslation('admin/second-factor')
  const ruleText = useRuleText()
  const form = useForm(call, initial, toBody)
  const element = useRef<HTMLFormElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [wrongField, setWrongField] = useState<keyof Proof>()
  const { password, code } = form.values
  const isReady = form.isValid && code?.trim() !== ''

  // The button that opened the form is gone.
  useEffect(() => element.current?.querySelector('input')?.focus(), [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady || isBusy) return form.showAll()
    setBusy(true)
    try {
      await onProof(toBody(form.values))
    } catch (error) {
      const name = error instanceof RefusedByServer ? fieldOf[error.type] : undefined
      setWrongField(name)
      if (name) notify(t(`secondFactor.wrong.${name}`), 'error')
      else notifyError(t, error)
      setBusy(false)
    }
  }

  const field = (name: keyof Proof) => ({
    name,
    label: t(`secondFactor.${name}`),
    value: form.values[name] ?? '',
    onValue: (value: string) => {
      setWrongField(undefined)
      form.set(name, value as Fields[typeof name])
    },
    onBlur: () => form.values[name] && form.touch(name),
    error: wrongField === name ? t(`secondFactor.wrong.${name}`) : ruleText(form.ruleOf(name)),
  })
  const act = (
    <Button kind={rest.kind ?? 'primary'} type="submit" isBusy={isBusy} disabled={!isReady}>
      {rest.submitLabel}
    </Button>
  )
  return (
    <form ref={element} className={styles.form} onSubmit={submit} noValidate>
      {password !== undefined && <PasswordField {...field('password')} autoComplete="current-password" />}
      {code !== undefined && (
        <TextField
          {...field('code')}
          hint={rest.codeHint}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          isLatin
        />
      )}
      <div className={rest.isInDialog ? dialogStyles.actions : own.actions}>
        {!rest.isInDialog && act}
        <Button disabled={isBusy} onClick={rest.onCancel}>
          {t('dialog.cancel')}
        </Button>
        {rest.isInDialog && act}
      </div>
    </form>
  )
}
