import type { Clock } from '../src/lib/clock.ts'

export interface TestClock extends Clock {
  advance(milliseconds: number): void
  set(time: Date): void
}

/** Stands still until it is moved. */
export function testClock(start = new Date('2026-03-01T12:00:00.000Z')): TestClock {
  let time = start.getTime()
  return {
    now: () => new Date(time),
    advance: (milliseconds) => {
      time += milliseconds
    },
    set: (next) => {
      time = next.getTime()
    },
  }
}

/** Goes on by itself, as the real one does: requests of one moment read times that differ by milliseconds. */
export function runningClock(): TestClock {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance: (milliseconds) => {
      ahead += milliseconds
    },
    set: (next) => {
      ahead = next.getTime() - Date.now()
    },
  }
}
