import type { Clock } from '../lib/clock.ts'

export interface MovingClock extends Clock {
  /** Never backwards and never past the end: a ledger is written in order, and nothing happens in the future. */
  moveTo(time: number): void
}

export function movingClock(start: number, end: number): MovingClock {
  let time = start
  return {
    now: () => new Date(time),
    moveTo: (next) => {
      time = Math.min(end, Math.max(time, next))
    },
  }
}
