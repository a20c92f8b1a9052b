import { signIn, toLatinDigits } from '@kelid/contract'
import i18next from 'i18next'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { act } from '../../../calls/api.ts'
import { notifyError } from '../../../calls/explain.ts'
import { currentLanguage } from '../../../lib/current-language.ts'
import { useForm } from '../../../lib/form.ts'
import { loadWords } from '../../../lib/load-words.ts'
import { useRuleText } from '../../../lib/use-rule-text.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import styles from '../../../ui/form.module.css'
import type { Credentials, OnSignedIn, Show } from '../sign-in-steps.ts'

interface Props {
  credentials: Credentials
  onSignedIn: OnSignedIn
  onBack: () => void
}

const emptyCode = { secondFactorCode: '' }

function CodeStep({ credentials, onSignedIn, onBack }: Props) {
  const { t } = useTranslation('visitor/auth/second-factor')
  const ruleText = useRuleText()
  const bodyOf = useCallback(
    ({ secondFactorCode }: typeof emptyCode) => ({
      ...credentials,
      secondFactorCode: toLatinDigits(secondFactorCode.trim()),
    }),
    [credentials],
  )
  const form = useForm(signIn, emptyCode, bodyOf)
  const [isBusy, setBusy] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => element.current?.querySelector('input')?.focus(), [])
  const body = bodyOf(form.values)
  const isReady = form.isValid && body.secondFactorCode !== ''

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady || isBusy) return
    setBusy(true)
    try {
      onSignedIn(await act(signIn, body))
    } catch (error) {
      notifyError(t, error)
      setBusy(false)
    }
  }

  return (
    <form ref={element} className={styles.form} onSubmit={submit} noValidate>
      <h2>{t('secondFactorStep.title')}</h2>
      <p>
        {t('secondFactorStep.text')} <bdi dir="ltr">{credentials.email}</bdi>
      </p>
      <TextField
        label={t('secondFactorStep.code')}
        value={form.values.secondFactorCode}
        onValue={(code) => form.set('secondFactorCode', code)}
        onBlur={() => form.touch('secondFactorCode')}
        error={ruleText(form.ruleOf('secondFactorCode'))}
        hint={t('secondFactorStep.hint')}
        name="secondFactorCode"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        isLatin
      />
      <Button kind="primary" type="submit" isWide isBusy={isBusy} disabled={!isReady}>
        {t('secondFactorStep.signIn')}
      </Button>
      <Button isWide disabled={isBusy} onClick={onBack}>
        {t('secondFactorStep.back')}
      </Button>
    </form>
  )
}

/** Replaces the form, which returns with its values when the user goes back. */
export async function askForCode(
  credentials: Credentials,
  onSignedIn: OnSignedIn,
  show: Show,
): Promise<void> {
  await loadWords(i18next, currentLanguage(), ['visitor/auth/second-factor'])
  show([
    credentials,
    <CodeStep
      key="code"
      credentials={credentials}
      onSignedIn={onSignedIn}
      onBack={() => show([credentials])}
    />,
  ])
}
