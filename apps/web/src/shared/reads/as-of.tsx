import { type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'
import styles from './as-of.module.css'

const isOld = (query: Query): boolean =>
  query.isActive() &&
  query.state.data !== undefined &&
  (query.state.fetchStatus === 'paused' ||
    query.state.fetchFailureCount > 0 ||
    query.state.status === 'error')

export function AsOf() {
  const { t } = useTranslation('shared')
  const language = useLanguage()
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache])
  const find = () =>
    cache
      .getAll()
      .filter(isOld)
      .reduce((least, query) => Math.min(least, query.state.dataUpdatedAt), Number.POSITIVE_INFINITY)
  const oldest = useSyncExternalStore(subscribe, find, find)
  const isVisible = Number.isFinite(oldest)
  return (
    <div role="status">
      {isVisible && (
        <p className={styles.mark}>
          {t('reads.asOf', { exact: formatMoment(new Date(oldest).toISOString(), language) })}
        </p>
      )}
    </div>
  )
}
