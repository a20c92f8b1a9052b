import { type Account, getAccount } from '@kelid/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { read } from '../../../calls/api.ts'
import { keyOf } from '../../../shared/reads/query.ts'
import { knownAccount } from '../account-cache.ts'

export function useAccount(accountUUID: string, { isEnabled = true } = {}) {
  const client = useQueryClient()
  return useQuery<Account>({
    queryKey: keyOf(getAccount, { accountUUID }),
    queryFn: ({ signal }) => read(getAccount, { accountUUID }, { signal }),
    enabled: isEnabled,
    placeholderData: () => knownAccount(client, accountUUID),
  })
}
