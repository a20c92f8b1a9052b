import type { Call } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRuleText } from '../../lib/use-rule-text.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import styles from '../../ui/form.module.css'
import type { Credentials } from './sign-in-steps.ts'
import type { VisitorCalls } from './use-visitor-calls.ts'
import { useVisitorForm } from './use-visitor-form.ts'

interface Props {
  callOf: (calls: VisitorCalls) => Call
  submitLabel: string
  passwordHint?: (password: string, calls: VisitorCalls | undefined) => ReactNode
  initial?: Credentials | undefined
  onSubmit: (values: Credentials, calls: VisitorCalls) => Promise<void>
}

const emptyCredentials = { email: '', password: '' }

const asTyped = ({ email, password }: Credentials) => ({ email: email.trim(), password })

export function CredentialsForm({
  callOf,
  submitLabel,
  passwordHint,
  initial = emptyCredentials,
  onSubmit,
}: Props) {
  const { t } = useTranslation('visitor')
  const ruleText = useRuleText()
  const options = { callOf, initial, toBody: asTyped, onSubmit }
  const { form, calls, isBusy, props } = useVisitorForm(options)
  return (
    <form className={styles.form} {...props}>
      <TextField
        label={t('auth.email')}
        value={form.values.email}
        onValue={(email) => form.set('email', email)}
        onBlur={() => form.values.email && form.touch('email')}
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
        onBlur={() => form.values.password && form.touch('password')}
        error={ruleText(form.ruleOf('password'))}
        hint={passwordHint?.(form.values.password, calls)}
        name="password"
        autoComplete={passwordHint ? 'new-password' : 'current-password'}
      />
      <Button kind="primary" type="submit" isWide isBusy={isBusy} disabled={!form.isValid}>
        {submitLabel}
      </Button>
    </form>
  )
}
