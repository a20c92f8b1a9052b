import { createStore } from './store.ts'
import { readStored, storageKeys, writeStored } from './stored.ts'

export interface Session {
  readonly token: string
}

function stored(): Session | null {
  try {
    const value: unknown = JSON.parse(readStored(storageKeys.session) ?? 'null')
    return typeof value === 'object' && value !== null && 'token' in value && typeof value.token === 'string'
      ? { token: value.token }
      : null
  } catch {
    return null
  }
}

/** Signed in or not; another tab that signs out signs this one out too. */
export const sessionStore = createStore<Session | null>(typeof localStorage === 'undefined' ? null : stored())

if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (event.key === storageKeys.session || event.key === null) sessionStore.set(stored())
  })

export function openSession(token: string): void {
  writeStored(storageKeys.session, JSON.stringify({ token }))
  sessionStore.set({ token })
}

export function closeSession(): void {
  writeStored(storageKeys.session, null)
  sessionStore.set(null)
}
