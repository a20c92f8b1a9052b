import { deleteCopies } from './copies-database.ts'
import { createStore } from './store.ts'
import { readStored, storageKeys, writeStored } from './stored.ts'

export interface Session {
  readonly token: string
  /** Known of administrators alone: the way into the administration is shown. Whether it opens, the server decides. */
  readonly userLevel?: number | undefined
}

/** As this moment has it: another tab may have changed it before this one hears of that. */
export function storedSession(): Session | null {
  try {
    const value = JSON.parse(readStored(storageKeys.session) ?? 'null') as Session | null
    return typeof value?.token === 'string' ? value : null
  } catch {
    return null
  }
}

/** Signed in or not; another tab that signs out signs this one out too. */
export const sessionStore = createStore<Session | null>(storedSession())

if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (event.key === storageKeys.session || event.key === null) sessionStore.set(storedSession())
  })

/** What a session kept on the device goes with it, whoever comes next; where nothing can be kept there is nothing to delete. */
function change(session: Session | null): void {
  writeStored(storageKeys.session, session && JSON.stringify(session))
  deleteCopies().catch(() => {})
  sessionStore.set(session)
}

export const openSession = (token: string, userLevel?: number): void => change({ token, userLevel })
export const closeSession = (): void => change(null)
