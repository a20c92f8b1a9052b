import { useTranslation } from 'react-i18next'
import { lookUp } from './look-up.ts'

/** The sentence for a broken rule, in the user's language. */
export function useRuleText(): (rule: string | undefined) => string | undefined {
  const { t } = useTranslation()
  return (rule) => (rule === undefined ? undefined : lookUp(t, `rules.${rule}`) || rule)
}
