import { expect } from 'vitest'

type Deed = 'take' | 'give' | 'refused'

export type SharedPlaces = ReturnType<typeof sharedPlaces>

/**
 * Places are the one thing the users of the model share. Who gets the last one is a matter of chance, but not who
 * may be refused: there must have been a moment when all could have been taken.
 */
export function sharedPlaces(capacity: number) {
  const done: { deed: Deed; from: number; to: number }[] = []
  let tick = 0
  const taken = (
    takes: (from: number, to: number) => boolean,
    gives: (from: number, to: number) => boolean,
  ) =>
    done.filter(({ deed, from, to }) => deed === 'take' && takes(from, to)).length -
    done.filter(({ deed, from, to }) => deed === 'give' && gives(from, to)).length

  return {
    /** Runs something that takes, gives back or is refused a place, and remembers when it was under way. */
    async during<T>(work: () => Promise<T>, deedOf: (result: T) => Deed | null): Promise<T> {
      tick += 1
      const from = tick
      const result = await work()
      tick += 1
      const deed = deedOf(result)
      if (deed) done.push({ deed, from, to: tick })
      return result
    },
    /** Fails when no order of what happened, each within the time it was under way, could explain it. */
    check() {
      for (const one of done) {
        const atLeast = taken(
          (_, to) => to < one.from,
          (from) => from < one.to,
        )
        const atMost = taken(
          (from) => from < one.to,
          (_, to) => to < one.from,
        )
        if (one.deed === 'take') expect(atLeast).toBeLessThan(capacity)
        if (one.deed === 'refused') expect(atMost).toBeGreaterThanOrEqual(capacity)
      }
    },
  }
}
