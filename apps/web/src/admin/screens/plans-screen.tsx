import { useTranslation } from 'react-i18next'
import { Screen } from '../kit/screen.tsx'
import { PlanList } from '../plans/manage/plan-list.tsx'

export function PlansScreen() {
  const { t } = useTranslation('admin')
  return (
    <Screen title={t('menu.plans')}>
      <PlanList />
    </Screen>
  )
}
