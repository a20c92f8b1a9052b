/** Seeded, so that every demo looks the same. */
export interface Random {
  fraction(): number
  between(low: number, high: number): number
  whole(low: number, high: number): number
  chance(share: number): boolean
  pick<T>(items: readonly T[]): T
  uuid(): string
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1))
  return {
    fraction,
    whole,
    between: (low, high) => low + fraction() * (high - low),
    chance: (share) => fraction() < share,
    pick: <T>(items: readonly T[]) => items[whole(0, items.length - 1)] as T,
    uuid: () => {
      const digits = Array.from({ length: 32 }, () => whole(0, 15).toString(16))
      digits[12] = '4'
      digits[16] = '8'
      return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    },
  }
}
