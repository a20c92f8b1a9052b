import type { Account } from '@kelid/contract'
import { createStore, type Store } from '../../../lib/store.ts'

type Selected = ReadonlyMap<string, Account>

export interface Selection extends Pick<Store<Selected>, 'get' | 'subscribe'> {
  put(accounts: readonly Account[], isSelected: boolean): void
  clear(): void
}

/** The selection is outside React, so that a tick renders only its row and the counters. */
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
