import {
  type Answer,
  type extendDuration,
  quoteAccount,
  quoteByPlan,
  quoteData,
  RefusedByServer,
} from '@kelid/contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Body } from '../../../calls/api.ts'
import { onLiveEvent } from '../../../shared/events/live-events.ts'

type Quote = Answer<typeof quoteAccount>
type Quoted = Omit<Body<typeof extendDuration>, 'accountUUID' | 'accountDuration' | 'accountDataLimit'>

const quotes = [quoteAccount, quoteData, quoteByPlan].map(({ path }) => ({ queryKey: [path] }))

/** The server charges the shown price or nothing. */
export const quotedAs = (
  quote: Pick<Quote, 'quotePoints' | 'quoteTunnelCredit' | 'quoteDebt' | 'quoteRenewal'>,
): Quoted => ({
  quotedPoints: quote.quotePoints,
  quotedTunnelCredit: quote.quoteTunnelCredit,
  quotedDebt: quote.quoteDebt,
  ...(quote.quoteRenewal && { quotedRenewal: quote.quoteRenewal }),
})

/** The plan's rule is to add days, and its revision stands for what it contains. */
export const quotedByPlan = (quote: Answer<typeof quoteByPlan>) => ({
  quotedPoints: quote.quotePoints,
  quotedTunnelCredit: quote.quoteTunnelCredit,
  quotedDebt: quote.quoteDebt,
  quotedPlanRevision: quote.planRevision,
})

/** Hides an outdated price until the new one is read. */
export function forgetChangedQuote(client: QueryClient, error: unknown): void {
  if (error instanceof RefusedByServer && error.type === 'QUOTE_CHANGED')
    for (const one of quotes) void client.resetQueries(one)
}

export function useLiveQuotes(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onLiveEvent(({ type }) => {
        if (type === 'balance') for (const one of quotes) void client.invalidateQueries(one)
      }),
    [client],
  )
}
