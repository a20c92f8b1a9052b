import type { Context } from '../context.ts'
import type { By } from '../features/audit/audit.ts'
import type { Clock } from '../lib/clock.ts'

export interface MovingClock extends Clock {
  /** Never backwards and never past the end: a ledger is written in order, and nothing happens in the future. */
  moveTo(time: number): void
  moveBy(milliseconds: number): void
}

export function movingClock(start: number, end: number): MovingClock {
  let time = start
  const moveTo = (next: number) => {
    time = Math.min(end, Math.max(time, next))
  }
  return { now: () => new Date(time), moveTo, moveBy: (milliseconds) => moveTo(time + milliseconds) }
}

/** Where the steps of the demo take place: its transaction, its clock, its administrator. */
export interface Stage {
  readonly ctx: Context
  readonly clock: MovingClock
  readonly by: By
}

/** Days before the demo is filled, and what happened then. */
export type Step = readonly [ago: number, run: () => Promise<unknown>]

export const common = { client: 'demo', clientVersion: '1.0', lng: 'en' } as const
