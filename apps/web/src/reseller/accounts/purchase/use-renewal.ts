import {
  type Account,
  type Answer,
  extendDuration,
  getUserAccounts,
  getUserCredit,
  getUserDebt,
  quoteAccount,
  quoteByPlan,
  renewByPlan,
} from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useAct } from '../../../shared/reads/query.ts'
import { putAccount } from '../account-cache.ts'
import { renewalKeys, renewalOf } from './purchase-keys.ts'
import type { Quote } from './quote-panel.tsx'
import { forgetChangedQuote, quotedAs, quotedByPlan } from './quoted.ts'
import { forgetChangedPlans } from './use-plans.ts'

export const readsAfterCharge = [getUserAccounts, getUserCredit, getUserDebt, quoteAccount, quoteByPlan]

export function useRenewal(account: Account) {
  const client = useQueryClient()
  const extend = useAct(extendDuration, { refreshes: readsAfterCharge })
  const byPlan = useAct(renewByPlan, { refreshes: readsAfterCharge })
  const isRunning = useRef(false)
  const { accountUUID } = account

  /** Returns null during a running renewal, because a double click can arrive before React disables the button. */
  async function once(
    purchase: object,
    send: (idempotencyKey: string) => Promise<Account>,
  ): Promise<Account | null> {
    if (isRunning.current) return null
    isRunning.current = true
    try {
      const renewed = await send(renewalKeys.of(purchase))
      renewalKeys.done(purchase)
      putAccount(client, renewed)
      return renewed
    } catch (error) {
      isRunning.current = false
      forgetChangedQuote(client, error)
      forgetChangedPlans(client, error)
      throw error
    }
  }

  return {
    isPending: extend.isPending || byPlan.isPending,
    error: extend.error ?? byPlan.error,
    renew: (days: number, gigabytes: number, quote: Quote | undefined) =>
      once(renewalOf(account, days, gigabytes), (idempotencyKey) =>
        extend.mutateAsync({
          body: {
            ...{ accountUUID, accountDuration: days },
            ...(gigabytes > 0 && { accountDataLimit: gigabytes }),
            ...(quote && quotedAs(quote)),
          },
          idempotencyKey,
        }),
      ),
    renewBy: (planUUID: string, quote: Answer<typeof quoteByPlan>) =>
      once({ ...renewalOf(account, 0, 0), planUUID }, (idempotencyKey) =>
        byPlan.mutateAsync({
          body: { accountUUID, planUUID, ...quotedByPlan(quote) },
          idempotencyKey,
        }),
      ),
  }
}
