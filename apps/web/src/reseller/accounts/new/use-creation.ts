import {
  type Account,
  getUserAccounts,
  getUserCredit,
  getUserDebt,
  quoteAccount,
  quoteByPlan,
  RefusedByServer,
} from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unreachable } from '../../../calls/api.ts'
import { explain } from '../../../calls/explain.ts'
import { notify } from '../../../lib/notices.ts'
import { createPurchaseKeys } from '../purchase/purchase-keys.ts'
import { forgetChangedQuote } from '../purchase/quoted.ts'
import { forgetChangedPlans } from '../purchase/use-plans.ts'

export const readsAfterCreation = [getUserAccounts, getUserCredit, getUserDebt, quoteAccount, quoteByPlan]

interface Purchase {
  readonly body: object
  readonly send: (idempotencyKey: string) => Promise<Account | undefined>
}

/** The same purchase keeps its key for every attempt, and a double press makes one. */
export function useCreation(onCreated: () => void) {
  const { t } = useTranslation('reseller')
  const { t: tNew } = useTranslation('reseller/accounts/new')
  const client = useQueryClient()
  const [keys] = useState(createPurchaseKeys)
  const [state, setState] = useState<'open' | 'sending' | 'done'>('open')
  const [error, setError] = useState<unknown>(null)
  const isSending = useRef(false)

  const failure = (reason: unknown) => {
    if (reason instanceof Unreachable) return { text: tNew('client.networkCreatingAccount'), autoHide: true }
    const isServerFailure = !(reason instanceof RefusedByServer) || reason.httpCode >= 500
    return isServerFailure
      ? { text: tNew('client.serverCreatingAccount'), autoHide: true }
      : explain(t, reason)
  }

  async function create({ body, send }: Purchase): Promise<void> {
    if (isSending.current) return
    isSending.current = true
    setState('sending')
    setError(null)
    try {
      await send(keys.of(body))
      keys.done(body)
      setState('done')
      onCreated()
    } catch (reason) {
      isSending.current = false
      setState('open')
      setError(reason)
      forgetChangedQuote(client, reason)
      forgetChangedPlans(client, reason)
      const { text, autoHide } = failure(reason)
      notify(text, 'error', autoHide)
    }
  }

  return { isBusy: state !== 'open', failed: error === null ? null : failure(error).text, create }
}
