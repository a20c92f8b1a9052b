import { quoteAccount, type quoteByPlan, type quoteData } from '@kelid/contract'
import type { Body } from '../../../calls/api.ts'
import { isUnknownCall } from '../../../calls/unknown-call.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { useDebounced } from '../../../shared/use-debounced.ts'
import { useLiveQuotes } from './quoted.ts'

export type Question = Body<typeof quoteAccount>

export const useQuote = (question: Question | null) => useQuoteOf(quoteAccount, question)

export function useQuoteOf<C extends typeof quoteAccount | typeof quoteData | typeof quoteByPlan>(
  call: C,
  question: Body<C> | null,
) {
  useLiveQuotes()
  const serialized = question ? JSON.stringify(question) : ''
  const debounced = useDebounced(serialized)
  const isCurrent = serialized !== '' && serialized === debounced
  const read = useRead(call, (debounced ? JSON.parse(debounced) : {}) as Body<C>, {
    isEnabled: debounced !== '',
  })
  const quote = isCurrent ? read.data : undefined
  const error = isCurrent && !quote ? read.error : null
  /** A server without quotes shows no price, and the purchase follows spec.md. */
  const isOffered = !isUnknownCall(error)
  return {
    hasQuestion: question !== null,
    quote,
    isOffered,
    error: isOffered ? error : null,
    isReady: isCurrent && (quote ? quote.quoteRefusal === null : !isOffered),
    retry: () => void read.refetch(),
  }
}
export type QuoteRead = ReturnType<typeof useQuote>
