import { useTranslation } from 'react-i18next'
import { useRuleText } from '../../../lib/use-rule-text.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import styles from '../../../ui/form.module.css'
import type { VisitorCalls } from '../use-visitor-calls.ts'
import { useVisitorForm } from '../use-visitor-form.ts'

const emptyPhone = { mobile: '' }
const asTyped = ({ mobile }: typeof emptyPhone, { toLatinDigits }: VisitorCalls) => ({
  mobile: toLatinDigits(mobile.trim()),
})

export function PhoneForm({ onPhone }: { onPhone: (mobile: string) => void }) {
  const { t } = useTranslation('visitor')
  const ruleText = useRuleText()
  const { form, isBusy, props } = useVisitorForm({
    callOf: ({ sendOtp }) => sendOtp,
    initial: emptyPhone,
    toBody: asTyped,
    onSubmit: ({ mobile }) => onPhone(mobile),
  })
  return (
    <form className={styles.form} {...props}>
      <h2>{t('sms.bySms')}</h2>
      <TextField
        label={t('sms.phone')}
        value={form.values.mobile}
        onValue={(mobile) => form.set('mobile', mobile)}
        onBlur={() => form.values.mobile && form.touch('mobile')}
        error={ruleText(form.ruleOf('mobile'))}
        name="mobile"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        isLatin
      />
      <Button type="submit" isWide isBusy={isBusy} disabled={!form.isValid}>
        {t('sms.next')}
      </Button>
    </form>
  )
}
