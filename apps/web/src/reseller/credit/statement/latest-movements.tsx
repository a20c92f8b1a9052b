import { getStatement } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { isUnknownCall } from '../../../calls/unknown-call.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { Loading } from '../../../ui/loading/loading.tsx'
import { Entries } from './entries.tsx'
import styles from './statement.module.css'

export const latest = { limit: 5 }

export const useHasStatement = (): boolean => !isUnknownCall(useRead(getStatement, latest).error)

export function LatestMovements({ title }: { title: string }) {
  const { t } = useTranslation('reseller/credit')
  const language = useLanguage()
  const statement = useRead(getStatement, latest)
  useReadNotice(isUnknownCall(statement.error) ? null : statement.error, t('statement.failed'))
  if (statement.isPending) return <Loading mode="skeleton" size="small" />
  if (!statement.data)
    return (
      <ReadFailed
        error={statement.error}
        text={t('statement.failed')}
        onRetry={() => void statement.refetch()}
      />
    )
  const { items, total = items.length } = statement.data
  if (total === 0) return <p>{t('statement.empty')}</p>
  return (
    <>
      <p className={styles.count}>
        {t('statement.count', { count: total, shown: formatNumber(total, language) })}
      </p>
      <Entries entries={items} title={title} />
    </>
  )
}
