export interface Clock {
  now(): number
  synchronize(time: string): void
}

/**
 * Follows the control plane's time, then a monotonic clock, so that setting the host's clock does not revive expired
 * accounts. Before the first answer it uses the host's clock, but never a time before `largestKnown`.
 */
export function openClock(
  largestKnown = 0,
  machine: () => number = Date.now,
  passed: () => number = () => performance.now(),
): Clock {
  let baseTime = largestKnown
  let baseTakenAt = passed()
  let isSynchronized = false
  return {
    now() {
      const time = baseTime + passed() - baseTakenAt
      if (isSynchronized || time >= machine()) return time
      baseTime = machine()
      baseTakenAt = passed()
      return baseTime
    },
    synchronize(text) {
      const time = Date.parse(text)
      if (!Number.isFinite(time)) return
      baseTime = time
      baseTakenAt = passed()
      isSynchronized = true
    },
  }
}
