import { type Query, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'
import { followLiveEvents } from '../events/follow.ts'
import styles from './as-of.module.css'
import { followLanguage } from './follow-language.ts'
import { restoreCopies } from './keep-copies.ts'
import { queryClient } from './query.ts'
import { registerServiceWorker } from './register-service-worker.ts'

/** The first render waits for this. */
export const restored = restoreCopies(queryClient)
followLanguage(queryClient)
registerServiceWorker()
followLiveEvents(queryClient)

export const Reads = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <AsOf />
    {children}
  </QueryClientProvider>
)

const isOld = (query: Query): boolean =>
  query.isActive() &&
  query.state.data !== undefined &&
  (query.state.fetchStatus === 'paused' ||
    query.state.fetchFailureCount > 0 ||
    query.state.status === 'error')

function AsOf() {
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
