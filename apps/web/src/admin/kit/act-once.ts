import type { Answer, Call } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import type { Body } from '../../calls/api.ts'
import { useAct } from '../../shared/reads/query.ts'

/** By what was sent. A key outlives its dialog until an answer says that it was done. */
const keys = new Map<string, string>()

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36).padStart(7, '0')).join(
    '',
  )

/** An amount or a gift: the same one has the same key however often it is tried, and so is given once. */
export function useActOnce<C extends Call>(call: C, refreshes: readonly Call[]) {
  const client = useQueryClient()
  const act = useAct(call, { refreshes })
  return async (body: Body<C>): Promise<Answer<C>> => {
    const order = JSON.stringify([call.path, body])
    const idempotencyKey = keys.get(order) ?? newKey()
    keys.set(order, idempotencyKey)
    try {
      const answer = await act.mutateAsync({ body, idempotencyKey })
      keys.delete(order)
      return answer
    } catch (error) {
      // It may have been done all the same: then the balances behind the dialog say so.
      for (const { path } of refreshes) void client.invalidateQueries({ queryKey: [path] })
      throw error
    }
  }
}
