import { limits } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'
import { TextField } from '../../ui/field.tsx'
import { useRuleText } from './use-rule-text.ts'

interface Props {
  value: string
  onValue: (reason: string) => void
  rule: string | undefined
  hint?: string
}

export function ReasonField({ value, onValue, rule, hint }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const ruleText = useRuleText()
  const [isTouched, setTouched] = useState(false)
  return (
    <TextField
      label={t('acts.reason')}
      value={value}
      onValue={onValue}
      onBlur={() => setTouched(value !== '')}
      error={isTouched ? ruleText(rule) : undefined}
      hint={hint ?? t('acts.reasonHint', { most: formatNumber(limits.reasonMax, language) })}
      autoComplete="off"
      dir="auto"
    />
  )
}
