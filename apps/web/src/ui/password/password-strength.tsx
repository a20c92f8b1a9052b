import { useTranslation } from 'react-i18next'

export type Strength = 'weak' | 'fair' | 'strong'

interface Props {
  password: string
  /** Not there yet where a form fetches its rules when it is used. */
  strengthOf: ((password: string) => Strength) | undefined
}

/** What a password must have, and once there is one, how good it is. */
export function PasswordStrength({ password, strengthOf }: Props) {
  const { t } = useTranslation('ui/password')
  if (password === '' || !strengthOf) return <>{t('rules.password')}</>
  return <>{t(`password.${strengthOf(password)}`)}</>
}
