export interface Clock {
  now(): number
  /** The time of the control plane, as an answer brought it. */
  hears(time: string): void
}

/**
 * The control plane's time once it was heard, and from then on the time that has passed: nobody gives expired accounts
 * their time again by setting the host's clock. Until then the host's own, and never one before the largest that was known.
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
