import { useTranslation } from 'react-i18next'
import { lookUp } from './look-up.ts'

export function useRuleText(): (rule: string | undefined) => string | undefined {
  const { t } = useTranslation()
  return (rule) => (rule === undefined ? undefined : lookUp(t, `rules.${rule}`) || rule)
}
