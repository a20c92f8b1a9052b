import { type Account, type Answer, quoteAccount, type quoteRefusals, RefusedByServer } from '@kelid/contract'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../../calls/api.ts'
import { useDebounced } from '../../../shared/use-debounced.ts'
import { forEachAccount } from './bulk.ts'

type Quote = Answer<typeof quoteAccount>

export interface LeftOut {
  readonly account: Account
  readonly reason: (typeof quoteRefusals)[number] | RefusedByServer
}

export interface QuoteTotal {
  readonly points: number
  readonly dollars: number
  readonly tunnelCredit: number
  readonly daysLost: number
  readonly renewal: Quote['quoteRenewal']
  readonly payable: readonly Account[]
  readonly leftOut: readonly LeftOut[]
}

/** The server's numbers, added; dollars by the cent, where sums are exact. */
function totalOf(
  quotes: readonly { account: Account; quote: Quote }[],
  refused: readonly LeftOut[],
): QuoteTotal {
  const good = quotes.filter(({ quote }) => quote.quoteRefusal === null)
  const sum = (of: (quote: Quote) => number) => good.reduce((before, { quote }) => before + of(quote), 0)
  return {
    points: sum((quote) => quote.quotePoints),
    dollars: sum((quote) => Math.round(quote.quoteDollars * 100)) / 100,
    tunnelCredit: sum((quote) => quote.quoteTunnelCredit),
    daysLost: sum((quote) => quote.quoteDaysLost),
    renewal: quotes[0]?.quote.quoteRenewal ?? null,
    payable: good.map(({ account }) => account),
    leftOut: [
      ...quotes.flatMap(({ account, quote }) =>
        quote.quoteRefusal ? [{ account, reason: quote.quoteRefusal }] : [],
      ),
      ...refused,
    ],
  }
}

/** One price for many renewals; null days ask nothing. */
export function useQuotes(accounts: readonly Account[], days: number | null) {
  const debounced = useDebounced(days)
  const asked = accounts.map(({ accountUUID, accountExpireDate }) => [accountUUID, accountExpireDate])
  const total = useQuery({
    queryKey: [quoteAccount.path, 'total', debounced, asked],
    enabled: debounced !== null,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      const quotes: { account: Account; quote: Quote }[] = []
      const { failed } = await forEachAccount(accounts, async (account) => {
        const { accountUUID, accountVPNType, accountTunnelType } = account
        const question = { accountUUID, accountVPNType, accountTunnelType, accountDuration: debounced ?? 0 }
        quotes.push({ account, quote: await read(quoteAccount, question, { signal }) })
      })
      const refused = failed.map(({ account, error }) => {
        if (error instanceof RefusedByServer) return { account, reason: error }
        throw error
      })
      return totalOf(quotes, refused)
    },
  })
  const isCurrent = days !== null && days === debounced
  return {
    total: isCurrent ? total.data : undefined,
    error: isCurrent && !total.data ? total.error : null,
    retry: () => void total.refetch(),
  }
}
