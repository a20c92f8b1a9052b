import {
  type Account,
  extendDuration,
  getUserAccounts,
  getUserCredit,
  getUserDebt,
  quoteAccount,
} from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useAct } from '../../../shared/reads/query.ts'
import { putAccount } from '../account-cache.ts'
import { renewalKeys, renewalOf } from './purchase-keys.ts'
import type { Quote } from './quote-panel.tsx'
import { forgetChangedQuote, quotedAs } from './quoted.ts'

export const readsAfterCharge = [getUserAccounts, getUserCredit, getUserDebt, quoteAccount]

export function useRenewal(account: Account) {
  const client = useQueryClient()
  const act = useAct(extendDuration, { refreshes: readsAfterCharge })
  const isRunning = useRef(false)
  return {
    isPending: act.isPending,
    error: act.error,
    /** Returns null during a running renewal, because a double click can arrive before React disables the button. */
    async renew(days: number, gigabytes: number, quote: Quote | undefined): Promise<Account | null> {
      if (isRunning.current) return null
      isRunning.current = true
      try {
        const purchase = renewalOf(account, days, gigabytes)
        const { accountUUID } = account
        const renewed = await act.mutateAsync({
          body: {
            ...{ accountUUID, accountDuration: days },
            ...(gigabytes > 0 && { accountDataLimit: gigabytes }),
            ...(quote && quotedAs(quote)),
          },
          idempotencyKey: renewalKeys.of(purchase),
        })
        renewalKeys.done(purchase)
        putAccount(client, renewed)
        return renewed
      } catch (error) {
        isRunning.current = false
        forgetChangedQuote(client, error)
        throw error
      }
    },
  }
}
