import { getSettings } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../shared/reads/query.ts'
import { ReadState } from '../../shared/reads/read-state.tsx'
import { Facts } from '../kit/facts.tsx'
import { type PriceName, useSettingLines } from './setting-text.ts'

export function PricesInForce({ names }: { names: readonly PriceName[] }) {
  const { t } = useTranslation('admin/settings')
  const linesOf = useSettingLines()
  const settings = useRead(getSettings, {})
  if (!settings.data) return <ReadState read={settings} failed={t('prices.failed')} size="small" />
  return (
    <Facts
      facts={linesOf(settings.data, names).map(([title, value]) => [title, <bdi key={title}>{value}</bdi>])}
    />
  )
}
