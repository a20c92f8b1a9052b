import { type Answer, type extendDuration, quoteAccount, RefusedByServer } from '@kelid/contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Body } from '../../../calls/api.ts'
import { onLiveEvent } from '../../../shared/events/live-events.ts'

type Quote = Answer<typeof quoteAccount>
type Quoted = Omit<Body<typeof extendDuration>, 'accountUUID' | 'accountDuration'>

/** All quotes, of one account and of many. */
const quotes = { queryKey: [quoteAccount.path] }

/** What the buyer was shown goes with the purchase: the server charges that or nothing. */
export const quotedAs = (
  quote: Pick<Quote, 'quotePoints' | 'quoteTunnelCredit' | 'quoteDebt' | 'quoteRenewal'>,
): Quoted => ({
  quotedPoints: quote.quotePoints,
  quotedTunnelCredit: quote.quoteTunnelCredit,
  quotedDebt: quote.quoteDebt,
  ...(quote.quoteRenewal && { quotedRenewal: quote.quoteRenewal }),
})

/** A price that has changed is taken off the screen until the new one is there. */
export function forgetChangedQuote(client: QueryClient, error: unknown): void {
  if (error instanceof RefusedByServer && error.type === 'QUOTE_CHANGED') void client.resetQueries(quotes)
}

/** A price on the screen is read again when the balance or the prices change. */
export function useLiveQuotes(): void {
  const client = useQueryClient()
  useEffect(
    () => onLiveEvent(({ type }) => void (type === 'balance' && client.invalidateQueries(quotes))),
    [client],
  )
}
