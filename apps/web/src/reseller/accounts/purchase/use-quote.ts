import { quoteAccount } from '@kelid/contract'
import type { Body } from '../../../calls/api.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { useDebounced } from '../../../shared/use-debounced.ts'
import { useLiveQuotes } from './quoted.ts'

export type Question = Body<typeof quoteAccount>

/** What the server says it would cost, as the form stands; null while there is nothing to ask. */
export function useQuote(question: Question | null) {
  useLiveQuotes()
  const asked = question ? JSON.stringify(question) : ''
  const debounced = useDebounced(asked)
  const isCurrent = asked !== '' && asked === debounced
  const read = useRead(quoteAccount, (debounced ? JSON.parse(debounced) : {}) as Question, {
    isEnabled: debounced !== '',
  })
  return {
    hasQuestion: question !== null,
    quote: isCurrent ? read.data : undefined,
    error: isCurrent && read.data === undefined ? read.error : null,
    retry: () => void read.refetch(),
  }
}
export type QuoteRead = ReturnType<typeof useQuote>
