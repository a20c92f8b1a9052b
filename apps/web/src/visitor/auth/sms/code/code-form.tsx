import { toLatinDigits } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../../lib/notices.ts'
import { useRuleText } from '../../../../lib/use-rule-text.ts'
import { Button } from '../../../../ui/button.tsx'
import { TextField } from '../../../../ui/field.tsx'
import styles from '../../../../ui/form.module.css'
import { useVisitorForm } from '../../use-visitor-form.ts'

interface Props {
  mobile: string
  onSignedIn: (secret: string) => void
}

export function CodeForm({ mobile, onSignedIn }: Props) {
  const { t } = useTranslation('visitor')
  const ruleText = useRuleText()
  const { form, fetchCalls, isBusy, props } = useVisitorForm({
    callOf: ({ checkOtp }) => checkOtp,
    initial: { otp: '' },
    toBody: ({ otp }) => ({ mobile, otp }),
    onSubmit: async (body, { act, checkOtp }) => onSignedIn((await act(checkOtp, body)).secret),
  })
  const [sending, setSending] = useState<'not yet' | 'under way' | 'sent'>('not yet')

  async function sendCode() {
    setSending('under way')
    const calls = await fetchCalls()
    try {
      await calls?.act(calls.sendOtp, { mobile })
      if (calls) notify(t('sms.sent'), 'success')
      setSending(calls ? 'sent' : 'not yet')
    } catch (error) {
      calls?.notifyError(t, error)
      setSending('not yet')
    }
  }

  return (
    <form className={styles.form} {...props}>
      <TextField
        label={t('sms.code')}
        value={form.values.otp}
        onValue={(otp) => form.set('otp', toLatinDigits(otp.trim()))}
        onBlur={() => form.values.otp && form.touch('otp')}
        error={ruleText(form.ruleOf('otp'))}
        name="otp"
        inputMode="numeric"
        autoComplete="one-time-code"
        isLatin
      />
      <Button kind="primary" type="submit" isWide isBusy={isBusy} disabled={!form.isValid}>
        {t('auth.signIn')}
      </Button>
      <Button isWide isBusy={sending === 'under way'} disabled={isBusy} onClick={() => void sendCode()}>
        {t(sending === 'sent' ? 'sms.sendAgain' : 'sms.send')}
      </Button>
    </form>
  )
}
