import type { Answer, Call } from '@kelid/contract'
import { useCallback, useMemo } from 'react'
import type { Body } from '../../../calls/api.ts'
import { useAct, useRead } from '../../../shared/reads/query.ts'

/** A call of one kind of host in words that both kinds share: what it is asked about, and what it tells. */
export interface Question<About, Told> {
  readonly call: Call
  readonly bodyOf: (about: About) => Body<Call>
  readonly toldBy: (answer: unknown) => Told
}

export const question = <C extends Call, About, Told>(
  call: C,
  bodyOf: (about: About) => Body<C>,
  toldBy: (answer: Answer<C>) => Told,
): Question<About, Told> => ({ call, bodyOf, toldBy: toldBy as (answer: unknown) => Told })

/** As useRead. */
export function useAsk<About, Told>(
  { call, bodyOf, toldBy }: Question<About, Told>,
  about: About,
  options?: { isEnabled: boolean },
) {
  const { data, error, isPending, isFetching, dataUpdatedAt, refetch } = useRead(call, bodyOf(about), options)
  const told = useMemo(() => (data === undefined ? undefined : toldBy(data)), [data, toldBy])
  return {
    data: told,
    error,
    isPending,
    isFetching,
    readAt: dataUpdatedAt,
    /** One that is under way is waited for: asked in a row, none would ever arrive. */
    refetch: () => void refetch({ cancelRefetch: false }),
  }
}

/** As useAct. */
export function useTell<About, Told>(
  { call, bodyOf, toldBy }: Question<About, Told>,
  options?: { refreshes?: readonly Call[] },
) {
  const { mutateAsync, isPending, error } = useAct(call, options)
  const tell = useCallback(
    async (about: About, idempotencyKey?: string): Promise<Told> =>
      toldBy(await mutateAsync({ body: bodyOf(about), ...(idempotencyKey && { idempotencyKey }) })),
    [mutateAsync, bodyOf, toldBy],
  )
  return { tell, isPending, error }
}
