import { type Language, RefusedByServer } from '@kelid/contract'
import { expect, test } from 'vitest'
import { wordsIn } from '../app/all-words.ts'
import { createI18n } from '../app/i18n.ts'
import { explain } from './explain.ts'

const textFor = (
  type: string,
  text: string,
  parameters: Record<string, string | number>,
  language: Language = 'en',
) => {
  const t = createI18n(language, wordsIn(language)).getFixedT(null, 'shared')
  return explain(t, new RefusedByServer(type, 409, text, true, parameters, {})).text
}

test("a refusal is translated, with the server's parameters", () => {
  expect(textFor('INSUFFICIENT_CREDIT', 'anything', { missing: 12 })).toBe(
    'Not enough credit: 12 points are missing',
  )
  expect(textFor('INSUFFICIENT_CREDIT', 'anything', { missing: 12 }, 'fa')).toContain('۱۲')
  expect(textFor('UNKNOWN_FIELD', '', { field: '{{field}} $t(errors.BUSY)' })).toBe(
    'Unknown field: {{field}} $t(errors.BUSY)',
  )
})

test("without a translation or a parameter, the server's text is shown", () => {
  for (const language of ['en', 'fa'] as const) {
    expect(textFor('OF_NO_KNOWN_TYPE', 'The moon is full', {}, language)).toBe('The moon is full')
    expect(textFor('INSUFFICIENT_CREDIT', 'You are 5 points short', {}, language)).toBe(
      'You are 5 points short',
    )
  }
})

test('an unfilled placeholder is never shown', () => {
  expect(textFor('OF_NO_KNOWN_TYPE', 'Wait {{ seconds }} s, {name}', { seconds: 30 })).toBe('Wait 30 s, …')
  expect(textFor('TOO_MANY_ATTEMPTS', 'Too many; wait {{seconds}} s', {}, 'fa')).toBe('Too many; wait … s')
})
