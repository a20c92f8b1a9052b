import { type Answer, type Call, day, RefusedByServer } from '@kelid/contract'
import { QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { act, type Body, read } from '../../calls/api.ts'
import { freshMs } from '../../calls/first-calls.ts'
import { keepCopies } from './keep-copies.ts'

/** Retries network failures; a refusal is final. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'offlineFirst',
      staleTime: freshMs,
      gcTime: day,
      retry: (count, error) => !(error instanceof RefusedByServer) && count < 3,
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

if (typeof indexedDB !== 'undefined') keepCopies(queryClient)

/** The call is the key, so nobody invents cache keys. */
export const keyOf = <C extends Call>(call: C, body?: Body<C>) => (body ? [call.path, body] : [call.path])

export const useRead = <C extends Call>(call: C, body: Body<C>, { isEnabled = true } = {}) =>
  useQuery<Answer<C>>({
    queryKey: keyOf(call, body),
    queryFn: ({ signal }) => read(call, body, { signal }),
    enabled: isEnabled,
  })

interface Act<C extends Call> {
  body: Body<C>
  idempotencyKey?: string
}

export function useAct<C extends Call>(call: C, { refreshes = [] }: { refreshes?: readonly Call[] } = {}) {
  const client = useQueryClient()
  return useMutation<Answer<C>, Error, Act<C>>({
    mutationFn: ({ body, idempotencyKey }) => act(call, body, { idempotencyKey }),
    onSuccess: () => Promise.all(refreshes.map((one) => client.invalidateQueries({ queryKey: [one.path] }))),
  })
}
