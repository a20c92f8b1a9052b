import { expect, test } from 'vitest'
import { adminRules } from './admin-rules.ts'
import { onePhone, phonePart } from './phones.ts'

test.each([
  ['09121234567', ['09121234567', '+989121234567', '00989121234567', '989121234567', '+9809121234567']],
  ['+4915112345678', ['+4915112345678', '004915112345678', '4915112345678']],
  ['+12025550123', ['+12025550123', '0012025550123', '12025550123']],
  ['02188776655', ['02188776655']],
  ['123456789012345', ['123456789012345']],
  ['00912345678', ['00912345678']],
])('%s is one number in every spelling', (one, spellings) => {
  for (const spelling of spellings) {
    expect(onePhone(spelling), spelling).toBe(one)
    expect(adminRules.userPhone.parse(spelling)).toBe(one)
    expect(onePhone(one)).toBe(one)
  }
})

test.each([
  ['+98 912 123 4567', '9121234567'],
  ['0912-123', '912123'],
  ['۰۹۱۲ ۱۲۳', '912123'],
  ['+98912', '912'],
  ['1234567', '1234567'],
  ['+49 151', '49151'],
  ['ali', null],
  ['12', null],
  ['0098', null],
])('%s is looked for as %s', (text, part) => {
  expect(phonePart(text)).toBe(part)
})
