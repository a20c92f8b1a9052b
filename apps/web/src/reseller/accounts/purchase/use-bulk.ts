import { getAccount } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import { notify } from '../../../lib/notices.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { dropAccount } from '../account-cache.ts'
import { type BulkOrder, carryOut, type Outcome } from './bulk.ts'
import { createPurchaseKeys, renewalKeys, renewalOf } from './purchase-keys.ts'
import { forgetChangedQuote } from './quoted.ts'
import { readsAfterCharge } from './use-renewal.ts'

const purchaseOf = ({ action, accounts, days, gigabytes }: BulkOrder) => ({
  action,
  accounts: accounts.map((account) => renewalOf(account, days ?? 0, gigabytes)),
})

export function useBulk() {
  const { t } = useTranslation('reseller')
  const counted = useCounted()
  const client = useQueryClient()
  const [ownKeys] = useState(createPurchaseKeys)
  const isRunning = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [error, setError] = useState<unknown>(null)

  async function run(order: BulkOrder): Promise<Outcome | null> {
    if (isRunning.current) return null
    isRunning.current = true
    setBusy(true)
    setError(null)
    // Only a renewal keeps its key across dialogs; repeating another action in a new dialog is a new action.
    const keys = order.action === 'renew' ? renewalKeys : ownKeys
    const purchase = purchaseOf(order)
    try {
      const result = await carryOut(order, keys.of(purchase))
      keys.done(purchase)
      if (order.action === 'delete')
        for (const { accountUUID } of result.done) dropAccount(client, accountUUID)
      for (const { path } of [getAccount, ...readsAfterCharge])
        void client.invalidateQueries({ queryKey: [path] })
      const count = result.refused.length
      if (count > 0) {
        setOutcome(result)
        const text = t('accounts.bulk.failed', counted(count))
        notify(text, result.done.length > 0 ? 'warning' : 'error')
      }
      return result
    } catch (failure) {
      notifyError(t, failure)
      forgetChangedQuote(client, failure)
      setError(failure)
      return null
    } finally {
      setBusy(false)
      isRunning.current = false
    }
  }

  return { run, isBusy, outcome, error }
}
