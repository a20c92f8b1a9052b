import { day } from '@kelid/contract'
import { expect, test } from 'vitest'
import { random } from '../../../test/faults/random.ts'
import { providerMonth } from './provider-month.ts'

const month = (first: number, now: string) => {
  const { from, until } = providerMonth(first, new Date(now))
  return [from.toISOString(), until.toISOString()]
}
const midnight = (date: string) => `${date}T00:00:00.000Z`

test('a month begins at midnight UTC of its day, or of the last day of a shorter month', () => {
  expect(month(1, '2026-02-28T23:59:59.999Z')).toEqual([midnight('2026-02-01'), midnight('2026-03-01')])
  expect(month(1, '2026-03-01T00:00:00Z')).toEqual([midnight('2026-03-01'), midnight('2026-04-01')])
  expect(month(15, '2026-01-14T12:00:00Z')).toEqual([midnight('2025-12-15'), midnight('2026-01-15')])
  expect(month(31, '2026-02-27T12:00:00Z')).toEqual([midnight('2026-01-31'), midnight('2026-02-28')])
  expect(month(31, '2026-02-28T00:00:00Z')).toEqual([midnight('2026-02-28'), midnight('2026-03-31')])
  expect(month(30, '2028-02-29T00:00:00Z')).toEqual([midnight('2028-02-29'), midnight('2028-03-30')])
  expect(month(31, '2026-12-31T00:00:00Z')).toEqual([midnight('2026-12-31'), midnight('2027-01-31')])
})

const seed = Number(process.env.KELID_TEST_SEED ?? Math.floor(Math.random() * 2 ** 32))

test(`every moment is in exactly one month of 28 to 31 days, and the next begins where it ends (seed ${seed})`, () => {
  const { whole } = random(seed)
  for (let round = 0; round < 500; round += 1) {
    const first = whole(1, 31)
    const now = new Date(Date.UTC(2020, 0, 1) + whole(0, 20 * 366) * day + whole(0, day - 1))
    const { from, until } = providerMonth(first, now)
    const shown = `day ${first} at ${now.toISOString()}: ${from.toISOString()} to ${until.toISOString()}`
    expect(from <= now && now < until, shown).toBe(true)
    const days = (until.getTime() - from.getTime()) / day
    expect([28, 29, 30, 31], shown).toContain(days)
    expect(providerMonth(first, until).from, shown).toEqual(until)
    expect(providerMonth(first, new Date(until.getTime() - 1)), shown).toEqual({ from, until })
    const nextDay = new Date(from.getTime() + day)
    expect(
      from.getUTCDate() === first || (from.getUTCDate() < first && nextDay.getUTCDate() === 1),
      shown,
    ).toBe(true)
  }
})
