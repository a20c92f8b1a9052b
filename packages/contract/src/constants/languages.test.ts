import { expect, test } from 'vitest'
import { toLanguage } from './languages.ts'

test.each([
  ['fa', 'fa'],
  ['fa-IR', 'fa'],
  ['FA-ir,fa;q=0.9,en;q=0.8', 'fa'],
  ['fa,en', 'fa'],
  ['en-US', 'en'],
  ['far', 'en'],
  ['de,fa;q=0.5', 'en'],
  ['*', 'en'],
  ['', 'en'],
  [null, 'en'],
  [undefined, 'en'],
])('%s is read in %s', (text, language) => expect(toLanguage(text)).toBe(language))
