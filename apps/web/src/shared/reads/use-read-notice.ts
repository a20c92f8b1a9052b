import { RefusedByServer } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../calls/explain.ts'
import { notify } from '../../lib/notices.ts'

/** Announced failures by query, or by error if there is no query, with the age of the data. */
const announced = new WeakMap<object, number>()

/**
 * A query that fails on every poll is announced once, until it succeeds, its screen closes or `announceAgain` is
 * called.
 */
export function useReadNotice(error: Error | null, text: string): { announceAgain: () => void } {
  const { t } = useTranslation('shared')
  const cache = useQueryClient().getQueryCache()
  const queryOf = (failure: Error) => cache.getAll().find(({ state }) => state.error === failure)
  useEffect(() => {
    if (!error) return
    const query = queryOf(error)
    const readAt = query?.state.dataUpdatedAt ?? 0
    if (announced.get(query ?? error) !== readAt) {
      announced.set(query ?? error, readAt)
      if (error instanceof RefusedByServer) notifyError(t, error)
      else notify(text, 'error')
    }
    return () => {
      if (query && !query.isActive()) announced.delete(query)
    }
  }, [error]) // once a failure, not again in another language
  return {
    announceAgain: () => {
      if (error) announced.delete(queryOf(error) ?? error)
    },
  }
}
