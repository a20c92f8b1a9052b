import { useTranslation } from 'react-i18next'

export type Strength = 'weak' | 'fair' | 'strong'

interface Props {
  password: string
  strengthOf: ((password: string) => Strength) | undefined
}

export function PasswordStrength({ password, strengthOf }: Props) {
  const { t } = useTranslation('ui/password')
  if (password === '' || !strengthOf) return <>{t('rules.password')}</>
  return <>{t(`password.${strengthOf(password)}`)}</>
}
