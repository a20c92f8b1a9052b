import type { Call } from '@kelid/contract'
import type { FormEvent, KeyboardEvent, ReactNode } from 'react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules, useForm } from '../../lib/form.ts'
import { notify } from '../../lib/notices.ts'
import { useRuleText } from '../../lib/use-rule-text.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import styles from './credentials-form.module.css'
import { useVisitorCalls, type VisitorCalls } from './use-visitor-calls.ts'

interface Props {
  /** The call whose rules hold. */
  callOf: (calls: VisitorCalls) => Call
  submitLabel: string
  passwordAutoComplete: 'current-password' | 'new-password'
  /** Below the password: a hint at its strength, say. */
  passwordHint?: (password: string) => ReactNode
  /** Sends what was typed; a refusal is shown and the form can be used again. */
  onSubmit: (values: Values, calls: VisitorCalls) => Promise<void>
}

const nothingTyped = { email: '', password: '' }
type Values = typeof nothingTyped

const asTyped = ({ email, password }: Values) => ({ email: email.trim(), password })

/** E-mail and password. The button sleeps until both are valid; what was typed survives a refusal. */
export function CredentialsForm({
  callOf,
  submitLabel,
  passwordAutoComplete,
  passwordHint,
  onSubmit,
}: Props) {
  const { t } = useTranslation()
  const ruleText = useRuleText()
  const [calls, fetchCalls] = useVisitorCalls()
  const form = useForm(calls && callOf(calls), nothingTyped, asTyped)
  const [isBusy, setBusy] = useState(false)
  const element = useRef<HTMLFormElement>(null)

  /** The page is there before its scripts: what was typed or filled in meanwhile counts. */
  const { set } = form
  useLayoutEffect(() => {
    if (!element.current) return
    const typed = [...new FormData(element.current)].filter(([, value]) => value !== '')
    for (const [name, value] of typed) set(name as keyof Values, String(value))
    if (typed.length > 0 || element.current.contains(document.activeElement)) void fetchCalls()
  }, [set, fetchCalls])

  async function submit() {
    if (isBusy) return
    setBusy(true)
    const arrived = await fetchCalls()
    const isTaken = arrived !== undefined && (await sendTyped(arrived))
    if (!isTaken) setBusy(false)
  }

  /** Whether the server took it; whoever is refused has been told why. */
  async function sendTyped(arrived: VisitorCalls): Promise<boolean> {
    const values = asTyped(form.values)
    if (Object.keys(brokenRules(callOf(arrived), values)).length > 0) {
      form.showAll()
      notify(t('client.incompleteInformation'), 'error')
      return false
    }
    try {
      await onSubmit(values, arrived)
      return true
    } catch (error) {
      arrived.notifyError(t, error)
      return false
    }
  }

  /** A sleeping button swallows Enter; whoever presses it is told what is missing. */
  function submitByEnter(event: KeyboardEvent) {
    if (event.key === 'Enter' && !form.isValid && event.target instanceof HTMLInputElement) void submit()
  }

  return (
    <form
      ref={element}
      className={styles.form}
      onFocus={() => void fetchCalls()}
      onChange={() => void fetchCalls()}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={submitByEnter}
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
