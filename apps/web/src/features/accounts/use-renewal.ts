import {
  type Account,
  extendDuration,
  getUserAccounts,
  getUserCredit,
  getUserDebt,
  quoteAccount,
} from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useAct } from '../../lib/query.ts'
import { putAccount } from './account-cache.ts'
import { renewalKeys, renewalOf } from './purchase-keys.ts'

/** Whatever a charge changes beside the account itself. */
export const touchedByCharge = [getUserAccounts, getUserCredit, getUserDebt, quoteAccount]

/** Renews under a key of its own; the account is replaced by the one that comes back. */
export function useRenewal(account: Account) {
  const client = useQueryClient()
  const act = useAct(extendDuration, { refreshes: touchedByCharge })
  return {
    isPending: act.isPending,
    error: act.error,
    async renew(days: number): Promise<Account> {
      const purchase = renewalOf(account, days)
      const { accountUUID } = account
      const renewed = await act.mutateAsync({
        body: { accountUUID, accountDuration: days },
        idempotencyKey: renewalKeys.of(purchase),
      })
      renewalKeys.done(purchase)
      putAccount(client, renewed)
      return renewed
    },
  }
}
