import type { Account } from '@kelid/contract'
import { useCallback, useState } from 'react'

/** Which accounts are ticked; they stay so while the list is searched and sorted. */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlyMap<string, Account>>(new Map())
  const put = useCallback((accounts: readonly Account[], isSelected: boolean) => {
    if (accounts.length === 0) return
    setSelected((before) => {
      const next = new Map(before)
      for (const account of accounts)
        if (isSelected) next.set(account.accountUUID, account)
        else next.delete(account.accountUUID)
      return next
    })
  }, [])
  return { selected, put, clear: useCallback(() => setSelected(new Map()), []) }
}
