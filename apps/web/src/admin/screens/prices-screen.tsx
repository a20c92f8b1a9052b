import { useTranslation } from 'react-i18next'
import { Screen } from '../kit/screen.tsx'
import { PricesForm } from '../settings/prices/prices-form.tsx'

export function PricesScreen() {
  const { t } = useTranslation('admin')
  return (
    <Screen title={t('menu.prices')}>
      <PricesForm />
    </Screen>
  )
}
