import { getCompensations } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Pages } from '../../../shared/reads/pages.ts'
import type { Compensation } from './compensation.ts'

const everyMs = 2_000

export function useProgress(): void {
  const client = useQueryClient()
  useEffect(() => {
    const queryKey = [getCompensations.path]
    const isRunning = () =>
      client
        .getQueriesData<Pages<Compensation>>({ queryKey })
        .some(([, list]) =>
          list?.pages.some(({ items }) => items.some((one) => one.compensationState === 'running')),
        )
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && isRunning()) void client.invalidateQueries({ queryKey })
    }, everyMs)
    return () => clearInterval(timer)
  }, [client])
}
