import { useState } from 'react'

export interface Basis<Value> {
  readonly now: Value
  /** What was shown before a concurrent change; undefined if there was none. */
  readonly saw: Value | undefined
  readonly readAgain: () => Promise<void>
}

/** An edit is sent with `now` and refused if that is outdated, so it never overwrites a concurrent edit. */
export function useBasis<Value>(shown: Value, read: () => Promise<Value>): Basis<Value> {
  const [{ now, saw }, set] = useState<{ now: Value; saw?: Value }>({ now: shown })
  const readAgain = async () => {
    const latest = await read()
    if (!Object.is(latest, now)) set({ now: latest, saw: now })
  }
  return { now, saw, readAgain }
}
