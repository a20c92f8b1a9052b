import { type Answer, type Call, RefusedByServer, settleKey } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Body } from '../../calls/api.ts'
import { sessionStore } from '../../lib/session.ts'
import { useAct, useRead } from '../../shared/reads/query.ts'

/** Idempotency keys without an answer, by user and subject. They outlive their dialogs. */
const unanswered = new Map<string, string>()

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36).padStart(7, '0')).join(
    '',
  )

export const isRefused = (error: unknown, ...types: string[]) =>
  error instanceof RefusedByServer && types.includes(error.type)

export const isOutcomeUnknown = (error: unknown) =>
  !(error instanceof RefusedByServer) || isRefused(error, 'OUTCOME_UNKNOWN', 'REPLY_FAILED')

export type LastTime = 'asking' | 'askFailed' | 'done' | 'notDone'

/**
 * A dialog sends one idempotency key, so its action takes effect once. If the last dialog about the same subject got no
 * answer, the server first reports that outcome and rules out a late one.
 */
export function useActOnce<C extends Call>(call: C, refreshes: readonly Call[], subject: string) {
  const client = useQueryClient()
  const act = useAct(call, { refreshes })
  const slot = JSON.stringify([sessionStore.get()?.token, call.path, subject])
  const [pendingKey] = useState(() => unanswered.get(slot))
  const outcome = useRead(
    settleKey,
    { idempotencyKey: pendingKey ?? '' },
    { isEnabled: pendingKey !== undefined },
  )
  const key = useRef('')
  const isInDoubt = useRef(false)

  const forgetKey = (settledKey: string | undefined) => {
    if (unanswered.get(slot) === settledKey) unanswered.delete(slot)
  }
  const readAgain = () => {
    for (const { path } of refreshes) void client.invalidateQueries({ queryKey: [path] })
  }
  const isPendingSettled = outcome.data !== undefined
  useEffect(() => {
    if (!isPendingSettled) return
    forgetKey(pendingKey)
    readAgain()
  }, [isPendingSettled])

  const send = async (body: Body<C>): Promise<Answer<C>> => {
    key.current ||= newKey()
    const idempotencyKey = key.current
    unanswered.set(slot, idempotencyKey)
    try {
      const answer = await act.mutateAsync({ body, idempotencyKey })
      forgetKey(idempotencyKey)
      return answer
    } catch (error) {
      const isFirstDone = isRefused(error, 'KEY_REUSED')
      if (isFirstDone) key.current = ''
      isInDoubt.current = !isFirstDone && (isInDoubt.current || isOutcomeUnknown(error))
      // A refusal after an unanswered attempt proves nothing: it may precede the key check.
      if (!isInDoubt.current) forgetKey(idempotencyKey)
      // The action may have succeeded; fresh balances show it.
      readAgain()
      throw error
    }
  }
  return { send, lastTime: lastTimeOf(pendingKey, outcome) }
}

function lastTimeOf(
  pendingKey: string | undefined,
  { data, isError }: { data: Answer<typeof settleKey> | undefined; isError: boolean },
): LastTime | undefined {
  if (pendingKey === undefined) return undefined
  if (data) return data.isDone ? 'done' : 'notDone'
  return isError ? 'askFailed' : 'asking'
}
