import type { Context } from '../context.ts'
import type { Actor } from '../features/audit/audit.ts'
import type { Clock } from '../lib/clock.ts'

export interface MovingClock extends Clock {
  /** Never backwards or into the future, because the ledger is written in order. */
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

export interface Stage {
  readonly ctx: Context
  readonly clock: MovingClock
  readonly by: Actor
}

export type Step = readonly [ago: number, run: () => Promise<unknown>]

export const common = { client: 'demo', clientVersion: '1.0', lng: 'en' } as const
