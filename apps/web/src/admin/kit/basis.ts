import { useState } from 'react'

/** What an edit is based on: as it was shown, and after somebody else's edit as it is now. */
export interface Basis<Value> {
  readonly now: Value
  /** What was shown before somebody else changed it; undefined while nobody has. */
  readonly saw: Value | undefined
  readonly readAgain: () => Promise<void>
}

/** An edit never overwrites another one silently: it is sent with `now`, and refused when that is no longer true. */
export function useBasis<Value>(shown: Value, read: () => Promise<Value>): Basis<Value> {
  const [{ now, saw }, set] = useState<{ now: Value; saw?: Value }>({ now: shown })
  const readAgain = async () => {
    const latest = await read()
    if (!Object.is(latest, now)) set({ now: latest, saw: now })
  }
  return { now, saw, readAgain }
}
