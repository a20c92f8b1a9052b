import { describe, expect, test } from 'vitest'
import { parseWholeNumber, toLatinDigits } from './rules.ts'

describe('digits of a Persian keyboard', () => {
  test.each([
    ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
    ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
    ['12۳٤', '1234'],
    ['', ''],
    ['abc', 'abc'],
    ['۱۲a', '12a'],
    ['\u06fa\u06ef\u066a\u065f', '\u06fa\u06ef\u066a\u065f'],
  ])('toLatinDigits(%j) is %j', (from, to) => {
    expect(toLatinDigits(from)).toBe(to)
  })

  test.each([
    ['0', 0],
    ['443', 443],
    ['۴۴۳', 443],
    ['٤٤٣', 443],
    [' 30 ', 30],
    ['010', 10],
    ['999999999999999', 999_999_999_999_999],
    ['1000000000000000', null],
    ['9007199254740993', null],
    ['', null],
    [' ', null],
    ['1.5', null],
    ['-1', null],
    ['+1', null],
    ['0x10', null],
    ['1e3', null],
    ['1 000', null],
    ['1,000', null],
    ['30a', null],
    ['²', null],
    ['१', null],
  ])('parseWholeNumber(%j) is %j', (from, to) => {
    expect(parseWholeNumber(from)).toBe(to)
  })
})
