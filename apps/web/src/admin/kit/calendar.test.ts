import { day } from '@kelid/contract'
import { expect, test } from 'vitest'
import { dateOf, dayOf, daysIn, hasOwnCalendar, monthName } from './calendar.ts'

test.each([
  [1405, 8, 26, '2026-11-17'],
  [1405, 1, 1, '2026-03-21'],
  [1403, 12, 30, '2025-03-20'],
  [1404, 12, 29, '2026-03-20'],
  [1399, 10, 11, '2020-12-31'],
])('%i/%i/%i is %s', (year, month, dayOfMonth, date) => {
  expect(dayOf(date, 'fa')).toEqual({ year, month, day: dayOfMonth })
  expect(dateOf({ year, month, day: dayOfMonth }, 'fa')).toBe(date)
})

test('every day of twenty years survives a round trip', () => {
  for (let at = Date.UTC(2015, 0, 1); at < Date.UTC(2035, 0, 1); at += day) {
    const date = new Date(at).toISOString().slice(0, 10)
    expect(dateOf(dayOf(date, 'fa'), 'fa')).toBe(date)
  }
})

test('a day beyond the end of its month becomes the last day', () => {
  expect([1, 6, 7, 11].map((month) => daysIn(1405, month, 'fa'))).toEqual([31, 31, 30, 30])
  expect([1403, 1404, 1405, 1408].map((year) => daysIn(year, 12, 'fa'))).toEqual([30, 29, 29, 30])
  expect(dateOf({ year: 1404, month: 12, day: 31 }, 'fa')).toBe('2026-03-20')
  expect(monthName(1405, 2, 'fa')).toBe('اردیبهشت')
})

test("English uses the browser's calendar", () => {
  expect([hasOwnCalendar('en'), hasOwnCalendar('fa')]).toEqual([false, true])
})
