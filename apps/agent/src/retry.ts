const first = 500
const last = 4_000

/** Longer after each failure, but soon enough for a line that is mended, and never the same for two hosts. */
export const pauseAfter = (failures: number, random = Math.random()): number =>
  Math.min(first * 2 ** (failures - 1), last) * (0.5 + random / 2)
