import { useTranslation } from 'react-i18next'
import { useRuleText as useCommonRuleText } from '../../lib/use-rule-text.ts'

/** The sentence for a broken rule. Those for e-mails and phones come with a visitor's forms, which this area has not. */
export function useRuleText(): (rule: string | undefined) => string | undefined {
  const { t } = useTranslation('admin')
  const common = useCommonRuleText()
  return (rule) => (rule === 'email' || rule === 'phone' ? t(`contactRules.${rule}`) : common(rule))
}
