import { useSyncExternalStore } from 'react'

export interface Store<T> {
  get(): T
  set(next: T): void
  subscribe(listener: () => void): () => void
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type Readable<T> = Pick<Store<T>, 'get' | 'subscribe'>

export const useStore = <T>(store: Readable<T>): T => useStorePart(store, (value) => value)

export function useStorePart<T, P>({ get, subscribe }: Readable<T>, pick: (value: T) => P): P {
  const read = () => pick(get())
  return useSyncExternalStore(subscribe, read, read)
}
