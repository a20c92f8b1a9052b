import { sendOtp, toLatinDigits } from '@kelid/contract'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useForm } from '../../lib/form.ts'
import { useRuleText } from '../../lib/use-rule-text.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from './code-form.module.css'

const asTyped = ({ mobile }: { mobile: string }) => ({ mobile: toLatinDigits(mobile.trim()) })

/** A phone number, in whatever digits, by the rule of the call that sends the code. */
export function PhoneForm({ onPhone }: { onPhone: (mobile: string) => void }) {
  const { t } = useTranslation()
  const ruleText = useRuleText()
  const form = useForm(sendOtp, { mobile: '' }, asTyped)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!form.isValid) return form.showAll()
    onPhone(asTyped(form.values).mobile)
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <h2>{t('sms.bySms')}</h2>
      <TextField
        label={t('sms.phone')}
        value={form.values.mobile}
        onValue={(mobile) => form.set('mobile', mobile)}
        onBlur={() => form.values.mobile && form.leave('mobile')}
        error={ruleText(form.ruleOf('mobile'))}
        name="mobile"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        isLatin
      />
      <Button type="submit" isWide disabled={!form.isValid}>
        {t('sms.next')}
      </Button>
    </form>
  )
}
