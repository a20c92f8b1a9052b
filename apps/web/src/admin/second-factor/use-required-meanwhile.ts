import { getSecondFactor, RefusedByServer } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** The requirement may be switched on during a session, so such a refusal triggers a read of the state. */
export function useSecondFactorRequirement(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return
        const { error } = event.action
        if (error instanceof RefusedByServer && error.type === 'SECOND_FACTOR_MISSING')
          void client.invalidateQueries({ queryKey: [getSecondFactor.path] })
      }),
    [client],
  )
}
