export interface Clock {
  now(): number
  hears(time: string): void
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
  let told = largestKnown
  let toldAt = passed()
  let wasHeard = false
  return {
    now() {
      const time = told + passed() - toldAt
      if (wasHeard || time >= machine()) return time
      told = machine()
      toldAt = passed()
      return told
    },
    hears(text) {
      const time = Date.parse(text)
      if (!Number.isFinite(time)) return
      told = time
      toldAt = passed()
      wasHeard = true
    },
  }
}
