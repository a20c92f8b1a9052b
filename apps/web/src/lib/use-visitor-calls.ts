import { useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTwice } from './lazy-screen.tsx'
import { notify } from './notices.ts'

export type VisitorCalls = typeof import('./visitor-calls.ts')

/** The calls, once they are there, and how to fetch them. Who asks in vain is told; the next to ask tries again. */
export function useVisitorCalls(): [VisitorCalls | undefined, () => Promise<VisitorCalls | undefined>] {
  const { t } = useTranslation()
  const [calls, setCalls] = useState<VisitorCalls>()
  const underWay = useRef<Promise<VisitorCalls | undefined>>(undefined)
  const fetchCalls = useCallback(() => {
    underWay.current ??= loadTwice(() => import('./visitor-calls.ts')).then(
      (arrived) => {
        setCalls(arrived)
        return arrived
      },
      () => {
        underWay.current = undefined
        notify(t('failure.chunkText'), 'error')
        return undefined
      },
    )
    return underWay.current
  }, [t])
  return [calls, fetchCalls]
}
