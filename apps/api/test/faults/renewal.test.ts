import { day } from '@kelid/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysLeft, renew } from '../../src/features/accounts/renewal.ts'
import { scale, seedOf } from '../scale.ts'

const start = Date.parse('2026-03-01T12:00:00.000Z')
const days = fc.integer({ min: 1, max: 364 })
const waits = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 2_000 }),
  fc.integer({ min: 0, max: 40 * day }),
  fc.integer({ min: 0, max: 40 }).map((whole) => whole * day),
)
const visits = fc.array(fc.record({ wait: waits, days }), { minLength: 1, maxLength: 60 })
const numRuns = scale(2_000, 50_000)

/** The life of one account: bought for some days, then renewed again and again after waits. */
function live(renewal: 'extend' | 'replace', bought: number, life: { wait: number; days: number }[]) {
  let now = start
  let expires = start + bought * day
  let paidDays = bought
  let served = 0
  for (const visit of life) {
    const next = now + visit.wait
    served += Math.max(0, Math.min(expires, next) - now)
    now = next
    const outcome = renew(renewal, new Date(expires), visit.days, new Date(now))
    expires = outcome.expires.getTime()
    paidDays += outcome.chargedDays
    expect(outcome.chargedDays).toBeGreaterThanOrEqual(0)
    expect(expires).toBeGreaterThan(now)
  }
  return { paid: paidDays * day, had: served + Math.max(0, expires - now) }
}

test('replace never gives time that was not paid for, however often one renews', () => {
  const seed = seedOf('replace mints no time')
  fc.assert(
    fc.property(days, visits, (bought, life) => {
      const { paid, had } = live('replace', bought, life)
      expect(had).toBeLessThanOrEqual(paid)
    }),
    { seed, numRuns },
  )
})

test('extend gives exactly the time that was paid for', () => {
  const seed = seedOf('extend is exact')
  fc.assert(
    fc.property(days, visits, (bought, life) => {
      const { paid, had } = live('extend', bought, life)
      expect(had).toBe(paid)
    }),
    { seed, numRuns },
  )
})

test('replace leaves as many days as were entered, and takes nothing for those that were there', () => {
  const seed = seedOf('replace does what it says')
  const left = fc.integer({ min: -day, max: 400 * day })
  fc.assert(
    fc.property(left, days, (remaining, entered) => {
      const now = new Date(start)
      const expires = new Date(start + remaining)
      const before = daysLeft(expires, now)
      const outcome = renew('replace', expires, entered, now)
      expect(daysLeft(outcome.expires, now)).toBe(entered)
      expect([outcome.chargedDays, outcome.lostDays]).toEqual([
        Math.max(0, entered - before),
        Math.max(0, before - entered),
      ])
    }),
    { seed, numRuns },
  )
})
