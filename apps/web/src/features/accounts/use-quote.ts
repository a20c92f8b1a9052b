import { quoteAccount } from '@kelid/contract'
import type { Body } from '../../lib/api.ts'
import { useRead } from '../../lib/query.ts'
import { useSettled } from './use-settled.ts'

export type Question = Body<typeof quoteAccount>

/** What the server says it would cost, as the form stands; null while there is nothing to ask. */
export function useQuote(question: Question | null) {
  const asked = question ? JSON.stringify(question) : ''
  const settled = useSettled(asked)
  const isCurrent = asked !== '' && asked === settled
  const read = useRead(quoteAccount, (settled ? JSON.parse(settled) : {}) as Question, {
    isEnabled: settled !== '',
  })
  return {
    hasQuestion: question !== null,
    quote: isCurrent ? read.data : undefined,
    error: isCurrent && read.data === undefined ? read.error : null,
    retry: () => void read.refetch(),
  }
}
export type QuoteRead = ReturnType<typeof useQuote>
