import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { languages, signIn, signUp } from '@kelid/contract'
import { expect, test } from 'vitest'
import { brokenRules } from '../lib/form.ts'
import { paths } from '../screens/paths.ts'
import { pickWords, prerendered, renderPage } from './entry-server.tsx'

const src = join(import.meta.dirname, '..')

/** Every file of ours that is fetched with these, those that are fetched later left out. */
function fetchedWith(files: readonly string[], leftOut: string, seen = new Set<string>()): Set<string> {
  for (const file of files) {
    if (seen.has(file) || file.endsWith(leftOut) || !existsSync(file)) continue
    seen.add(file)
    const imports = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^'()]*'(\.[^']+\.tsx?)'/gm)]
    fetchedWith(
      imports.map(([, path = '']) => join(dirname(file), path)),
      leftOut,
      seen,
    )
  }
  return seen
}

/** What a file asks for: whole keys, and the beginnings of those that it puts together. */
const keysIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/['`]((?:[a-z]+[A-Za-z]*\.)+[A-Za-z]*)(?=['`]|\$\{)/g)].map(
    ([, key = '']) => key.replace(/\.$/, ''),
  )

const find = (words: object, key: string): unknown =>
  key.split('.').reduce<unknown>((place, name) => Object(place)[name], words)

for (const { path, file, keys } of prerendered)
  for (const language of languages) {
    const words = pickWords(language, keys)

    test(`${path} in ${language} looks the same with its own words as with all of them`, async () => {
      expect((await renderPage(path, language, { given: words })).html).toBe(
        (await renderPage(path, language)).html,
      )
    })

    test(`${path} in ${language} brings every word that its files may ask for`, () => {
      const start = [
        join(src, 'app/entry-client.tsx'),
        ...(file ? [join(src, 'screens', `${file}.tsx`)] : []),
      ]
      const leftOut = path === paths.home ? 'nothing' : 'home-screen.tsx'
      const all = pickWords(language, [
        'meta',
        'ui',
        'shell',
        'home',
        'auth',
        'notFound',
        'failure',
        'client',
        'rules',
        'errors',
      ])
      const asked = [...fetchedWith(start, leftOut)]
        .flatMap(keysIn)
        .filter((key) => find(all, key) !== undefined)
      expect(asked.length).toBeGreaterThan(10)
      expect(asked.filter((key) => find(words, key) === undefined)).toEqual([])
    })
  }

test('the rules that the forms may break have their sentence on their pages', () => {
  const form = prerendered.find(({ path }) => path === paths.signUp)
  for (const language of languages)
    for (const call of [signIn, signUp])
      for (const rule of Object.values(brokenRules(call, { email: '', password: '' })))
        expect(find(pickWords(language, form?.keys ?? []), `rules.${rule}`), rule).toBeTypeOf('string')
})
