import { act } from '@testing-library/react'
import { vi } from 'vitest'

export const holdTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

export const tick = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds))

/** Polls with setImmediate, which fake timers do not hold. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await act(() => new Promise<void>((resolve) => setImmediate(resolve)))
}
