import { useTranslation } from 'react-i18next'
import { useRuleText as useCommonRuleText } from '../../lib/use-rule-text.ts'

/** Omits the rules for e-mails and phones, whose texts come with the visitor's forms. */
export function useRuleText(): (rule: string | undefined) => string | undefined {
  const { t } = useTranslation('admin')
  const common = useCommonRuleText()
  return (rule) => (rule === 'email' || rule === 'phone' ? t(`contactRules.${rule}`) : common(rule))
}
