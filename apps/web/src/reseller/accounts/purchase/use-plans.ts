import { getPlans, type RefusalType, RefusedByServer } from '@kelid/contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Body } from '../../../calls/api.ts'
import { isUnknownCall } from '../../../calls/unknown-call.ts'
import { onLiveEvent } from '../../../shared/events/live-events.ts'
import { useRead } from '../../../shared/reads/query.ts'

const plansRead = { queryKey: [getPlans.path] }

/** The plans on offer, or those that fit an account. A server without plans sells without them. */
export function usePlans(body: Body<typeof getPlans>) {
  const client = useQueryClient()
  useEffect(
    () =>
      onLiveEvent(({ type }) => {
        if (type === 'balance') void client.invalidateQueries(plansRead)
      }),
    [client],
  )
  const read = useRead(getPlans, body)
  const hasNone = isUnknownCall(read.error)
  return {
    plans: read.data?.plans ?? [],
    customAllowed: read.data?.customAllowed ?? true,
    isPending: read.isPending,
    error: read.data || hasNone ? null : read.error,
    retry: () => void read.refetch(),
  }
}

const changes: readonly RefusalType[] = ['PLAN_NOT_SOLD', 'PLAN_MISMATCH', 'PLAN_REQUIRED', 'QUOTE_CHANGED']

/** What was on offer when the form was opened may have changed. */
export function forgetChangedPlans(client: QueryClient, error: unknown): void {
  if (error instanceof RefusedByServer && changes.includes(error.type as RefusalType))
    void client.invalidateQueries(plansRead)
}
