import { expect, test } from 'vitest'
import { toLanguage } from './languages.ts'

test.each([
  [['fa'], 'fa'],
  [['fa-IR'], 'fa'],
  [['FA-ir', 'en'], 'fa'],
  [['en-US', 'fa'], 'en'],
  [['far'], 'en'],
  [['far', 'fa'], 'fa'],
  [['de', null, undefined, '', '*', 'fa', 'en'], 'fa'],
  [['de', 'fr'], 'en'],
  [[''], 'en'],
  [[null], 'en'],
  [[], 'en'],
])('the first of %j that there is counts: %s', (tags, language) => expect(toLanguage(...tags)).toBe(language))
