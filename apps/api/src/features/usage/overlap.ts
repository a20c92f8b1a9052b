import { movementSpans } from '@kelid/contract'

/**
 * How many devices moved bytes at once all through the minute. A phone that changes its network uses one at a time, so
 * only a slice in which all of them moved bytes counts; apps pause, so one such slice in each span is enough.
 */
export const devicesAtOnce = (devices: readonly number[]): number => {
  const movingIn = (slice: number) => devices.filter((slices) => slices & slice).length
  return Math.min(...movementSpans.map((span) => Math.max(...span.map(movingIn))))
}

const minute = 60_000
/** A refusal lasts ten minutes, and it takes three more to see that the overlap goes on. */
const pauseMax = 20 * minute
const window = 10 * minute
const minutesNeeded = 3
const refusalsFor = 60 * minute

export type Answer = 'none' | 'refuse' | 'stop'

/** What the latest of these minutes calls for, and since when the overlap goes on. */
export function judge(minutes: readonly Date[]): { answer: Answer; since: Date; minutes: number } | null {
  const times = minutes.map(Number).sort((a, b) => b - a)
  const [latest] = times
  if (latest === undefined) return null
  const end = times.findIndex((at, index) => at - (times[index + 1] ?? Number.NEGATIVE_INFINITY) > pauseMax)
  const episode = times.slice(0, end + 1)
  const since = new Date((episode.at(-1) ?? latest) - minute)
  const recent = episode.filter((at) => at > latest - window).length
  const lasts = latest - since.getTime()
  const answer = recent < minutesNeeded ? 'none' : lasts < refusalsFor ? 'refuse' : 'stop'
  return { answer, since, minutes: episode.length }
}
