import { expect, test } from 'vitest'
import { type Figure, isExceeded } from './figures.ts'

const figure = (value: number, limits: Partial<Figure> = {}): Figure => ({
  ...{ name: 'a figure', unit: 'x', detail: '' },
  value,
  ...limits,
})

test('a figure has to be a number, with or without a limit', () => {
  expect(isExceeded(figure(7))).toBe(false)
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    for (const limits of [{}, { atMost: 5 }, { atLeast: 5 }])
      expect(isExceeded(figure(value, limits)), `${value} ${JSON.stringify(limits)}`).toBe(true)
})

test('an upper and a lower limit are both enforced', () => {
  expect(isExceeded(figure(5, { atMost: 5 }))).toBe(false)
  expect(isExceeded(figure(5.01, { atMost: 5 }))).toBe(true)
  expect(isExceeded(figure(5, { atLeast: 5 }))).toBe(false)
  expect(isExceeded(figure(4.99, { atLeast: 5 }))).toBe(true)
  expect(isExceeded(figure(1, { atMost: 0 }))).toBe(true)
})
