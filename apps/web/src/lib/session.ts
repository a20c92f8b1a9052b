import { deleteCopies } from './copies-database.ts'
import { createStore } from './store.ts'
import { readStored, storageKeys, writeStored } from './stored.ts'

export interface Session {
  readonly token: string
  /** Set only for administrators. It shows the link to the admin area; the server decides about access. */
  readonly userLevel?: number | undefined
}

/** Reads storage directly, because another tab may have changed it before its event arrives here. */
export function storedSession(): Session | null {
  try {
    const value = JSON.parse(readStored(storageKeys.session) ?? 'null') as Session | null
    return typeof value?.token === 'string' ? value : null
  } catch {
    return null
  }
}

export const sessionStore = createStore<Session | null>(storedSession())

if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (event.key !== storageKeys.session && event.key !== null) return
    sessionStore.set(storedSession())
    // The tab that signed out may have failed to delete them.
    if (!sessionStore.get()) deleteCopies().catch(() => {})
  })

/** Deletes the copies of the previous session before the next user can see them. */
function change(session: Session | null): void {
  writeStored(storageKeys.session, session && JSON.stringify(session))
  deleteCopies().catch(() => {})
  sessionStore.set(session)
}

export const openSession = (token: string, userLevel?: number): void => change({ token, userLevel })
export const closeSession = (): void => change(null)
