import { expect, test } from 'vitest'
import { parseNumber } from './parse-number.ts'

test.each([
  ['12', 12],
  [' -12.50 ', -12.5],
  ['+3', 3],
  ['−۱٬۲۰۰٫۵', -1200.5],
  ['٣٫٥', 3.5],
  ['1,234,567', 1_234_567],
  ['$5', 5],
])('%s is %d', (input, value) => {
  expect(parseNumber(input)).toBe(value)
})

test.each(['', 'abc', '1e5', '0x10', '1,2', '--1', '1.2.3', 'Infinity', '-', '1234567890123'])(
  '"%s" is not a number',
  (input) => {
    expect(parseNumber(input)).toBeNaN()
  },
)
