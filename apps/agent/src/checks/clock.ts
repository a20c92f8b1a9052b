import type { Clock } from '../clock.ts'
import type { Check } from './trouble.ts'

const tolerance = 30_000

export const checkClock =
  (clock: Pick<Clock, 'now'>, machine = Date.now): Check =>
  async () => {
    const ahead = machine() - clock.now()
    if (Math.abs(ahead) <= tolerance) return undefined
    return {
      kind: 'clock',
      detail: `${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead' : 'behind'}`,
    }
  }
