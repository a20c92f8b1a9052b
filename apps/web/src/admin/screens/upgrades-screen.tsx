import { useTranslation } from 'react-i18next'
import { Screen } from '../kit/screen.tsx'
import { serverPath, tunnelPath } from '../paths.ts'
import { UpgradeList } from '../upgrades/upgrade-list.tsx'
import { UpgradeSummary } from '../upgrades/upgrade-summary.tsx'
import { useUpgradeReads } from '../upgrades/use-upgrade-reads.ts'

export function UpgradesScreen() {
  const { t } = useTranslation('admin')
  useUpgradeReads()
  const pathOf = (kind: 'server' | 'tunnel', uuid: string) =>
    kind === 'server' ? serverPath(uuid) : tunnelPath(uuid)
  return (
    <Screen title={t('upgrades.title')}>
      <p>{t('upgrades.about')}</p>
      <UpgradeSummary pathOf={pathOf} />
      <UpgradeList pathOf={pathOf} />
    </Screen>
  )
}
