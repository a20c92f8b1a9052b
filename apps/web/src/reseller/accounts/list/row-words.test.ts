import type { Language } from '@kelid/contract'
import { expect, test } from 'vitest'
import { wordsIn } from '../../../app/all-words.ts'
import { createI18n } from '../../../app/i18n.ts'
import { rowWords } from './row-words.ts'

const wordsOf = (language: Language) =>
  rowWords(createI18n(language, wordsIn(language)).getFixedT(null, 'reseller'), language)
const later = '2099-01-01T00:00:00.000Z'

test('cached row texts equal the translated ones', () => {
  const words = wordsOf('en')
  expect(words.select('ali')).toBe('Select ali')
  expect(words.states.expired).toBe('Expired')
  expect(words.states.abused).toBe('disabled · abused')
  for (const _ of [1, 2]) {
    expect(words.expiry({ accountDuration: 1, accountExpireDate: later })).toBe('1 day left')
    expect(words.expiry({ accountDuration: 12, accountExpireDate: later })).toBe('12 days left')
  }
})

test('row texts are translated into Persian, and expired rows show their own date', () => {
  const words = wordsOf('fa')
  expect(words.select('ali')).toBe('انتخاب ali')
  expect(words.expiry({ accountDuration: 12, accountExpireDate: later })).toBe('۱۲ روز مانده')
  const ended = (days: number) =>
    words.expiry({
      accountDuration: 0,
      accountExpireDate: new Date(Date.now() - days * 86_400_000).toISOString(),
    })
  expect(ended(3)).not.toBe(ended(9))
})
