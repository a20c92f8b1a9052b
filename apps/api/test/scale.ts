import { randomInt } from 'node:crypto'

/** `npm run test:long` runs the full figures; `npm test` the same tests with smaller ones. */
export const isLong = process.env.KELID_TEST_LONG === 'yes'
export const scale = (short: number, long: number): number => (isLong ? long : short)

/** The seed of a random test: printed, and taken from KELID_TEST_SEED to repeat a run. */
export function seedOf(test: string): number {
  const seed = Number(process.env.KELID_TEST_SEED ?? randomInt(2 ** 31))
  console.log(`${test}: seed ${seed} (repeat with KELID_TEST_SEED=${seed})`)
  return seed
}
