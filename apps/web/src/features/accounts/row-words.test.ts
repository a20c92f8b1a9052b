import { expect, test } from 'vitest'
import { createI18n } from '../../lib/i18n.ts'
import en from '../../locales/en.json'
import fa from '../../locales/fa.json'
import { rowWords } from './row-words.ts'

const later = '2099-01-01T00:00:00.000Z'

test('rows say the same as if each had asked for its words', () => {
  const words = rowWords(createI18n('en', en).t, 'en')
  expect(words.select('ali')).toBe('Select ali')
  expect(words.states.expired).toBe('Expired')
  for (const _ of [1, 2]) {
    expect(words.expiry({ accountDuration: 1, accountExpireDate: later })).toBe('1 day left')
    expect(words.expiry({ accountDuration: 12, accountExpireDate: later })).toBe('12 days left')
  }
})

test('in Persian too; what has ended says when, each for itself', () => {
  const words = rowWords(createI18n('fa', fa).t, 'fa')
  expect(words.select('ali')).toBe('انتخاب ali')
  expect(words.expiry({ accountDuration: 12, accountExpireDate: later })).toBe('۱۲ روز مانده')
  const ended = (days: number) =>
    words.expiry({
      accountDuration: 0,
      accountExpireDate: new Date(Date.now() - days * 86_400_000).toISOString(),
    })
  expect(ended(3)).not.toBe(ended(9))
})
