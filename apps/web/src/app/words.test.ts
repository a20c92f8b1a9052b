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

const entriesOf = (words: object, path = ''): [key: string, text: string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'object'
      ? entriesOf(value, `${path}${key}.`)
      : [[`${path}${key}`, value] as [string, string]],
  )
const keysOf = (words: object) => entriesOf(words).map(([key]) => key)
const textsOf = (words: object) => entriesOf(words).map(([, text]) => text)
const parametersOf = (text: string) => (text.match(/\{(\w+)/g) ?? []).sort()

const english = wordsIn(fallbackLanguage) as Record<string, Record<string, object>>
const groupInAll = (name: string) =>
  Object.assign({}, ...Object.values(english).map((words) => words[name] ?? {}))

/** English has one and other; a language may have more forms, or fewer. */
const inForms = (language: string, englishKeys: string[]) =>
  englishKeys.flatMap((key) => {
    const [base = '', form] = key.split(/_(?=(?:one|other)$)/)
    if (form === undefined) return key
    if (form === 'one') return []
    return new Intl.PluralRules(language).resolvedOptions().pluralCategories.map((each) => `${base}_${each}`)
  })

test('a language has the plural forms that its rules ask for', () => {
  const keys = ['app.title', 'app.users_one', 'app.users_other']
  expect(inForms('en', keys).sort()).toEqual(keys)
  expect(inForms('ja', keys).sort()).toEqual(['app.title', 'app.users_other'])
  expect(inForms('ru', keys)).toHaveLength(5)
})

test.each(languages)(
  '%s has the keys and parameters of English in every namespace, and none is empty',
  (language) => {
    const englishTexts = new Map(entriesOf(english))
    const words = entriesOf(wordsIn(language))
    expect(words.map(([key]) => key).sort()).toEqual(inForms(language, [...englishTexts.keys()]).sort())
    for (const [key, text] of words) {
      const original = englishTexts.get(key) ?? englishTexts.get(key.replace(/_[a-z]+$/, '_other')) ?? ''
      expect(parametersOf(text), key).toEqual(parametersOf(original))
    }
    expect(words.filter(([, text]) => text.trim() === '')).toEqual([])
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

/** Also those of the folders above, which are there before; a screen has those that its row in the routes names. */
function wordsFor(file: string): string[] {
  const own = namespaces.filter((namespace) => file.startsWith(`${namespace}/`) && namespace !== 'app')
  const route = adminRoutes.find(({ screen }) => file === `admin/screens/${screen}.tsx`)
  return [...own, ...(route?.alsoWords ?? [])].map((namespace) => `'${namespace}'`)
}

test('a file uses the words of its own folder, and the kit those of every page', () => {
  for (const file of sources) {
    const own = wordsFor(file)
    for (const [, argument = ''] of readFileSync(join(src, file), 'utf8').matchAll(
      /useTranslation\(([^)]*)\)/g,
    ))
      expect(own.length > 0 ? own : [''], file).toContain(argument)
  }
})
