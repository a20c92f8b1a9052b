import { useTranslation } from 'react-i18next'
import { Screen } from '../kit/screen.tsx'
import { SecondFactor } from '../second-factor/panel/second-factor.tsx'

export function SecurityScreen() {
  const { t } = useTranslation('admin')
  return (
    <Screen title={t('menu.security')}>
      <SecondFactor />
    </Screen>
  )
}
