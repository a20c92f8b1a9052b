import { useState } from 'react'

export interface Basis<Value> {
  readonly now: Value
  /** This is the value shown before a concurrent change, if there was one. */
  readonly previous: Value | undefined
  readonly readAgain: () => Promise<void>
}

/** An edit is sent with `now` and refused if that is outdated, so it never overwrites a concurrent edit. */
export function useBasis<Value>(initial: Value, read: () => Promise<Value>): Basis<Value> {
  const [{ now, previous }, set] = useState<{ now: Value; previous?: Value }>({ now: initial })
  const readAgain = async () => {
    const latest = await read()
    if (!Object.is(latest, now)) set({ now: latest, previous: now })
  }
  return { now, previous, readAgain }
}
