import { checkOtp, sendOtp, toLatinDigits } from '@kelid/contract'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../lib/explain.ts'
import { useForm } from '../../lib/form.ts'
import { notify } from '../../lib/notices.ts'
import { useAct } from '../../lib/query.ts'
import { useRuleText } from '../../lib/use-rule-text.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from './code-form.module.css'

interface Props {
  mobile: string
  onSignedIn: (secret: string) => void
}

/** The four digits of an SMS. Persian and Arabic ones count as Latin. */
export function CodeForm({ mobile, onSignedIn }: Props) {
  const { t } = useTranslation()
  const ruleText = useRuleText()
  const form = useForm(checkOtp, { otp: '' }, ({ otp }) => ({ mobile, otp }))
  const check = useAct(checkOtp)
  const send = useAct(sendOtp)
  const [wasSent, setSent] = useState(false)
  const isBusy = check.isPending || check.isSuccess

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!form.isValid || isBusy) return form.showAll()
    check.mutate(
      { body: { mobile, otp: form.values.otp } },
      { onSuccess: ({ secret }) => onSignedIn(secret), onError: (error) => notifyError(t, error) },
    )
  }
  const sendCode = () =>
    send.mutate(
      { body: { mobile } },
      {
        onSuccess: () => {
          setSent(true)
          notify(t('sms.sent'), 'success')
        },
        onError: (error) => notifyError(t, error),
      },
    )

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={t('sms.code')}
        value={form.values.otp}
        onValue={(otp) => form.set('otp', toLatinDigits(otp.trim()))}
        onBlur={() => form.values.otp && form.leave('otp')}
        error={ruleText(form.ruleOf('otp'))}
        name="otp"
        inputMode="numeric"
        autoComplete="one-time-code"
        isLatin
      />
      <Button kind="primary" type="submit" isWide isBusy={isBusy} disabled={!form.isValid}>
        {t('auth.signIn')}
      </Button>
      <Button isWide isBusy={send.isPending} disabled={isBusy} onClick={sendCode}>
        {t(wasSent ? 'sms.sendAgain' : 'sms.send')}
      </Button>
    </form>
  )
}
