import { useTranslation } from 'react-i18next'

/** The sentence for a broken rule, in the user's language. */
export function useRuleText(): (rule: string | undefined) => string | undefined {
  const { t } = useTranslation()
  return (rule) =>
    rule === undefined ? undefined : t(`rules.${rule}` as 'rules.email', { defaultValue: rule })
}
