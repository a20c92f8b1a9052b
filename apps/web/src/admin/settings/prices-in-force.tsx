import { getSettings } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../shared/reads/query.ts'
import { ReadFailed } from '../../shared/reads/read-failed.tsx'
import { Loading } from '../../ui/loading/loading.tsx'
import { Facts } from '../kit/facts.tsx'
import { type PriceName, useSettingLines } from './setting-text.ts'

export function PricesInForce({ names }: { names: readonly PriceName[] }) {
  const { t } = useTranslation('admin')
  const linesOf = useSettingLines()
  const { data, error, isPending, refetch } = useRead(getSettings, {})
  if (isPending) return <Loading mode="skeleton" size="small" />
  if (!data) return <ReadFailed error={error} text={t('prices.failed')} onRetry={() => void refetch()} />
  return (
    <Facts facts={linesOf(data, names).map(([title, value]) => [title, <bdi key={title}>{value}</bdi>])} />
  )
}
