import { type Account, getAccount } from '@kelid/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '../../lib/api.ts'
import { keyOf } from '../../lib/query.ts'
import { knownAccount } from './account-cache.ts'

export function useAccount(accountUUID: string, { isEnabled = true } = {}) {
  const client = useQueryClient()
  return useQuery<Account>({
    queryKey: keyOf(getAccount, { accountUUID }),
    queryFn: ({ signal }) => send(getAccount, { accountUUID }, { signal }),
    enabled: isEnabled,
    placeholderData: () => knownAccount(client, accountUUID),
  })
}
