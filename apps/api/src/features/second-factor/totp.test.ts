import { expect, test } from 'vitest'
import { codeAt, stepOf, toBase32 } from './totp.ts'

/** RFC 6238 appendix B has eight digits; the six are the last of them. */
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('RFC 6238: at second %d', (second, code) => {
  const secret = Buffer.from('12345678901234567890')
  expect(codeAt(secret, stepOf(new Date(second * 1_000)))).toBe(code.slice(2))
})

/** RFC 4226 appendix D. */
test.each(
  '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'
    .split(' ')
    .map((code, count) => [count, code] as const),
)('RFC 4226: count %d', (count, code) => {
  expect(codeAt(Buffer.from('12345678901234567890'), count)).toBe(code)
})

/** RFC 4648 section 10, without the padding. */
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('RFC 4648: %j', (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded)
})
