import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  clientLabels,
  clientMessages,
  fallbackLanguage,
  languages,
  refusals,
  ruleTexts,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { adminRoutes } from '../admin/routes.ts'
import { namespaces } from '../lib/words.ts'
import { strayWords, wordsIn } from './all-words.ts'
import { routes, wordsOf } from './routes.ts'

const keysOf = (words: object, path = ''): string[] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'object' ? keysOf(value, `${path}${key}.`) : `${path}${key}`,
  )
const textsOf = (words: object): string[] =>
  Object.values(words).flatMap((value) => (typeof value === 'object' ? textsOf(value) : [value as string]))
const parametersOf = (text: string) => (text.match(/\{(\w+)/g) ?? []).sort()

const english = wordsIn(fallbackLanguage) as Record<string, Record<string, object>>
const groupInAll = (name: string) =>
  Object.assign({}, ...Object.values(english).map((words) => words[name] ?? {}))

test.each(languages)(
  '%s has the keys and parameters of English in every namespace, and none is empty',
  (language) => {
    const words = wordsIn(language)
    expect(keysOf(words)).toEqual(keysOf(english))
    expect(textsOf(words).map(parametersOf)).toEqual(textsOf(english).map(parametersOf))
    expect(textsOf(words).filter((text) => text.trim() === '')).toEqual([])
  },
)

test('Persian spelling is consistent: own letters, own digits, one form of the ezafe', () => {
  const spelledOtherwise = /[\u0643\u064a\u0654\u06c0\u0660-\u0669]/
  expect(textsOf(wordsIn('fa')).filter((text) => spelledOtherwise.test(text))).toEqual([])
})

test('every word file is in a namespace and language folder, and no key is in two namespaces', () => {
  expect(strayWords).toEqual([])
  const keys = namespaces.flatMap((namespace) => keysOf(english[namespace] ?? {}))
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

test('refusals and messages of the specification match the contract in English', () => {
  const texts = Object.fromEntries(Object.entries(refusals).map(([type, { text }]) => [type, text]))
  expect(groupInAll('errors')).toMatchObject(texts)
  expect(groupInAll('client')).toEqual({ ...clientMessages, ...clientLabels })
})

test('every rule has a sentence that matches the contract in English', () => {
  const sentences = Object.entries(ruleTexts).map(([rule, text]) => [
    rule,
    text[0]?.toUpperCase() + text.slice(1),
  ])
  expect(groupInAll('rules')).toEqual(Object.fromEntries(sentences))
})

test('every screen loads the words of its heading', () => {
  for (const route of routes) {
    const words = Object.values(wordsIn(fallbackLanguage, wordsOf(route)))
    expect(words.flatMap((one) => keysOf(one))).toContain(route.title)
  }
  for (const { title } of adminRoutes) expect(keysOf(english.admin ?? {})).toContain(title)
})

const src = join(import.meta.dirname, '..')
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.test)\.tsx?$/.test(file),
)

test('a file uses the words of its own folder, and the kit those of every page', () => {
  for (const file of sources) {
    const own = namespaces.findLast((namespace) => file.startsWith(`${namespace}/`) && namespace !== 'app')
    for (const [, argument = ''] of readFileSync(join(src, file), 'utf8').matchAll(
      /useTranslation\(([^)]*)\)/g,
    ))
      expect(argument, file).toBe(own ? `'${own}'` : '')
  }
})
