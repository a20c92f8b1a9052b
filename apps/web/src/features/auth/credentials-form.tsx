import type { Call } from '@kelid/contract'
import type { FormEvent, KeyboardEvent, ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../lib/explain.ts'
import { useForm } from '../../lib/form.ts'
import { notify } from '../../lib/notices.ts'
import { useRuleText } from '../../lib/use-rule-text.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import styles from './credentials-form.module.css'

interface Props {
  /** The call whose rules hold. */
  call: Call
  submitLabel: string
  passwordAutoComplete: 'current-password' | 'new-password'
  /** Below the password: a hint at its strength, say. */
  passwordHint?: (password: string) => ReactNode
  /** Sends what was typed; a refusal is shown and the form can be used again. */
  onSubmit: (values: Values) => Promise<void>
}

interface Values {
  email: string
  password: string
}

const asTyped = ({ email, password }: Values) => ({ email: email.trim(), password })

/** E-mail and password. The button sleeps until both are valid; what was typed survives a refusal. */
export function CredentialsForm({ call, submitLabel, passwordAutoComplete, passwordHint, onSubmit }: Props) {
  const { t } = useTranslation()
  const ruleText = useRuleText()
  const form = useForm(call, { email: '', password: '' }, asTyped)
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!form.isValid || isBusy) return form.showAll()
    setBusy(true)
    try {
      await onSubmit(asTyped(form.values))
    } catch (error) {
      notifyError(t, error)
      setBusy(false)
    }
  }

  /** A sleeping button swallows Enter; whoever presses it is told what is missing. */
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
        label={t('auth.email')}
        value={form.values.email}
        onValue={(email) => form.set('email', email)}
        onBlur={() => form.values.email && form.leave('email')}
        error={ruleText(form.ruleOf('email'))}
        type="email"
        name="email"
        autoComplete="username"
        inputMode="email"
        isLatin
      />
      <PasswordField
        label={t('auth.password')}
        value={form.values.password}
        onValue={(password) => form.set('password', password)}
        onBlur={() => form.values.password && form.leave('password')}
        error={ruleText(form.ruleOf('password'))}
        hint={passwordHint?.(form.values.password)}
        name="password"
        autoComplete={passwordAutoComplete}
      />
      <Button kind="primary" type="submit" isWide isBusy={isBusy} disabled={!form.isValid}>
        {submitLabel}
      </Button>
    </form>
  )
}
