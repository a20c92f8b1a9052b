export interface Random {
  /** From 0 up to but not including 1. */
  next(): number
  /** A whole number from min to max, both included. */
  whole(min: number, max: number): number
  pick<T>(choices: readonly T[]): T
  chance(probability: number): boolean
}

/** The same numbers for the same seed (mulberry32). */
export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    whole,
    pick: <T>(choices: readonly T[]) => choices[whole(0, choices.length - 1)] as T,
    chance: (probability) => next() < probability,
  }
}
