import { toLatinDigits } from '@kelid/contract'
import i18next from 'i18next'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../../lib/current-language.ts'
import { loadWords } from '../../../lib/load-words.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import styles from '../../../ui/form.module.css'
import type { OnSignedIn, Show, Typed } from '../sign-in-steps.ts'
import { useVisitorForm } from '../use-visitor-form.ts'

interface Props {
  typed: Typed
  onSignedIn: OnSignedIn
  onBack: () => void
}

/** The second question to whoever has a second factor: the code of the app or a recovery code. */
function CodeStep({ typed, onSignedIn, onBack }: Props) {
  const { t } = useTranslation('visitor/auth/second-factor')
  const element = useRef<HTMLDivElement>(null)
  const { form, isBusy, props } = useVisitorForm({
    callOf: ({ signIn }) => signIn,
    initial: { secondFactorCode: '' },
    toBody: ({ secondFactorCode }) => ({
      ...typed,
      secondFactorCode: toLatinDigits(secondFactorCode.trim()),
    }),
    onSubmit: async (body, { act, signIn }) => onSignedIn(await act(signIn, body)),
  })
  useEffect(() => element.current?.querySelector('input')?.focus(), [])
  const { secondFactorCode } = form.values
  return (
    <div ref={element}>
      <form className={styles.form} {...props}>
        <h2>{t('secondFactorStep.title')}</h2>
        <p>
          {t('secondFactorStep.text')} <bdi dir="ltr">{typed.email}</bdi>
        </p>
        <TextField
          label={t('secondFactorStep.code')}
          value={secondFactorCode}
          onValue={(code) => form.set('secondFactorCode', code)}
          hint={t('secondFactorStep.hint')}
          name="secondFactorCode"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          isLatin
        />
        <Button
          kind="primary"
          type="submit"
          isWide
          isBusy={isBusy}
          disabled={!form.isValid || secondFactorCode.trim() === ''}
        >
          {t('secondFactorStep.signIn')}
        </Button>
        <Button isWide disabled={isBusy} onClick={onBack}>
          {t('secondFactorStep.back')}
        </Button>
      </form>
    </div>
  )
}

/** Shows it in place of e-mail and password, which are there again for whoever goes back. */
export async function askForCode(typed: Typed, onSignedIn: OnSignedIn, show: Show): Promise<void> {
  await loadWords(i18next, currentLanguage(), ['visitor/auth/second-factor'])
  show([typed, <CodeStep key="code" typed={typed} onSignedIn={onSignedIn} onBack={() => show([typed])} />])
}
