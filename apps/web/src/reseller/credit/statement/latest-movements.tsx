import { getStatement } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { Entries } from './entries.tsx'

/** What is asked of the statement. */
export const latest = { limit: 5 }

export function LatestMovements() {
  const { t } = useTranslation('reseller')
  const statement = useRead(getStatement, latest)
  if (statement.isPending) return <Loading mode="skeleton" size="small" />
  if (!statement.data)
    return <ReadFailed text={t('statement.failed')} onRetry={() => void statement.refetch()} />
  if (statement.data.items.length === 0) return <p>{t('statement.empty')}</p>
  return <Entries entries={statement.data.items} title={t('overview.latest')} />
}
