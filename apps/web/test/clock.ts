import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** Timers that are set from now on wait for `tick`. */
export const holdTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

export const tick = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds))

/** Looks again at every turn of the event loop, which held timers leave alone. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await act(() => new Promise<void>((resolve) => setImmediate(resolve)))
}
