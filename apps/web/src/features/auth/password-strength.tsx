import { patterns } from '@kelid/contract'
import { useTranslation } from 'react-i18next'

const kinds = [patterns.hasDigit, patterns.hasUpper, patterns.hasLower, patterns.hasSpecial]

/** A hint, not a rule: length counts most, variety of characters second. */
const strengthOf = (password: string): 'weak' | 'fair' | 'strong' => {
  const variety = new Set(password).size
  if (!kinds.every((kind) => kind.test(password)) || variety < 8) return 'weak'
  return password.length >= 14 && variety >= 10 ? 'strong' : 'fair'
}

export function PasswordStrength({ password }: { password: string }) {
  const { t } = useTranslation()
  if (password === '') return <>{t('rules.password')}</>
  return <>{t(`auth.strength.${strengthOf(password)}`)}</>
}
