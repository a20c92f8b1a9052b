import { type Account, quoteAccount, quoteBulk } from '@kelid/contract'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../../calls/api.ts'
import { useDebounced } from '../../../shared/use-debounced.ts'
import { useLiveQuotes } from './quoted.ts'

export function useBulkQuote(accounts: readonly Account[], days: number | null, gigabytes: number) {
  useLiveQuotes()
  const debounced = useDebounced(days)
  const debouncedData = useDebounced(gigabytes)
  const body = {
    accountUUIDs: accounts.map(({ accountUUID }) => accountUUID),
    accountDuration: debounced ?? 0,
    ...(debouncedData > 0 && { accountDataLimit: debouncedData }),
  }
  const answer = useQuery({
    queryKey: [quoteAccount.path, body],
    queryFn: ({ signal }) => read(quoteBulk, body, { signal }),
    enabled: debounced !== null,
    gcTime: 60_000,
  })
  const isCurrent = days !== null && days === debounced && gigabytes === debouncedData
  return {
    quote: isCurrent ? answer.data : undefined,
    error: isCurrent && !answer.data ? answer.error : null,
    retry: () => void answer.refetch(),
  }
}
