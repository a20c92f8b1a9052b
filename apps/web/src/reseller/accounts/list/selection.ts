import type { Account } from '@kelid/contract'
import { createStore, type Store } from '../../../lib/store.ts'

type Selected = ReadonlyMap<string, Account>

/** Which accounts are ticked; they stay so while the list is searched and sorted. */
export interface Selection extends Pick<Store<Selected>, 'get' | 'subscribe'> {
  put(accounts: readonly Account[], isSelected: boolean): void
  clear(): void
}

/** Beside the components: a tick is then felt by its own row and by what counts them, not by the whole list. */
export function createSelection(): Selection {
  const { get, set, subscribe } = createStore<Selected>(new Map())
  return {
    get,
    subscribe,
    put(accounts, isSelected) {
      if (accounts.length === 0) return
      const next = new Map(get())
      for (const account of accounts)
        if (isSelected) next.set(account.accountUUID, account)
        else next.delete(account.accountUUID)
      set(next)
    },
    clear: () => set(new Map()),
  }
}
