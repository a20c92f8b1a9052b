import { expect, test } from 'vitest'
import { formatFromNow } from './format.ts'

/** People count days by their own midnight, so this uses local time. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString()
const fromNow = (iso: string, now: string, language: 'en' | 'fa' = 'en') =>
  formatFromNow(iso, language, new Date(now).getTime())

test('tomorrow and yesterday follow the calendar', () => {
  const evening = at(16, 20)
  expect(fromNow(at(17, 21), evening)).toBe('tomorrow')
  expect(fromNow(at(18, 2), evening)).toBe('in 2 days')
  expect(fromNow(at(15, 19), evening)).toBe('yesterday')
  expect(fromNow(at(14, 23), at(16, 1))).toBe('2 days ago')
  expect(fromNow(at(17, 21), evening, 'fa')).toBe('فردا')
  expect(fromNow(at(19, 21), evening, 'fa')).toBe('۳ روز دیگر')
})

test('less than a day is shown in hours, minutes or now', () => {
  const now = at(16, 12)
  expect(fromNow(at(17, 8), now)).toBe('in 20 hours')
  expect(fromNow(at(16, 11, 15), now)).toBe('45 minutes ago')
  expect(fromNow(at(16, 12), now)).toBe('now')
  expect(formatFromNow(now, 'en', new Date(now).getTime() + 30_000)).toBe('now')
})
