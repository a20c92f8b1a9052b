import { type Answer, type extendDuration, quoteAccount, RefusedByServer } from '@kelid/contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Body } from '../../../calls/api.ts'
import { onLiveEvent } from '../../../shared/events/live-events.ts'

type Quote = Answer<typeof quoteAccount>
type Quoted = Omit<Body<typeof extendDuration>, 'accountUUID' | 'accountDuration'>

const quotes = { queryKey: [quoteAccount.path] }

/** The server charges the shown price or nothing. */
export const quotedAs = (
  quote: Pick<Quote, 'quotePoints' | 'quoteTunnelCredit' | 'quoteDebt' | 'quoteRenewal'>,
): Quoted => ({
  quotedPoints: quote.quotePoints,
  quotedTunnelCredit: quote.quoteTunnelCredit,
  quotedDebt: quote.quoteDebt,
  ...(quote.quoteRenewal && { quotedRenewal: quote.quoteRenewal }),
})

/** Hides an outdated price until the new one is read. */
export function forgetChangedQuote(client: QueryClient, error: unknown): void {
  if (error instanceof RefusedByServer && error.type === 'QUOTE_CHANGED') void client.resetQueries(quotes)
}

export function useLiveQuotes(): void {
  const client = useQueryClient()
  useEffect(
    () => onLiveEvent(({ type }) => void (type === 'balance' && client.invalidateQueries(quotes))),
    [client],
  )
}
