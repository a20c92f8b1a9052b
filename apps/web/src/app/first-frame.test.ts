// @vitest-environment jsdom

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languageFacts, languages, timings, toLanguage } from '@kelid/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { storageKeys } from '../lib/stored.ts'

const script = readFileSync(join(import.meta.dirname, 'first-frame.js'), 'utf8')
const root = document.documentElement

afterEach(() => {
  localStorage.clear()
  // biome-ignore lint/suspicious/noDocumentCookie: as the client writes it
  document.cookie = `${storageKeys.language}=; max-age=0`
  vi.unstubAllGlobals()
})

interface Visit {
  query?: string
  cookie?: string
  stored?: string
  browser: string[]
  page: string
}

/** Runs the inline script of the page and returns what it decided before the first paint. */
function firstFrame({ query, cookie, stored, browser, page }: Visit) {
  document.head.innerHTML = '<meta name="theme-color">'
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.stubGlobal('navigator', { language: browser[0], languages: browser })
  history.replaceState(null, '', query === undefined ? '/' : `/?lng=${query}`)
  // biome-ignore lint/suspicious/noDocumentCookie: as the client writes it
  if (cookie) document.cookie = `${storageKeys.language}=${cookie}`
  if (stored) localStorage.setItem(storageKeys.language, stored)
  Object.assign(root.dataset, {
    languages: languages.map((one) => `${one}:${languageFacts[one].dir}`).join(' '),
    access: 'anyone',
    patience: String(timings.chunkTimeoutMs),
  })
  root.lang = page
  // biome-ignore lint/security/noGlobalEval: it is in no module, and a page runs it the same way
  window.eval(script)
  clearTimeout((window as unknown as { givesUpLater: number }).givesUpLater)
  return { lang: root.lang, dir: root.dir }
}

test.each<Visit & { is: string }>([
  { query: 'de', cookie: 'fa', browser: ['en-US'], page: 'en', is: 'fa' },
  { query: 'en', cookie: 'fa', stored: 'fa', browser: ['fa'], page: 'fa', is: 'en' },
  { query: 'FA-ir', browser: ['en-US'], page: 'en', is: 'fa' },
  { cookie: 'fr', stored: 'fa', browser: ['en'], page: 'en', is: 'fa' },
  { stored: 'tlh', browser: ['de-DE', 'fa-IR', 'en'], page: 'en', is: 'fa' },
  { browser: ['de', 'fr'], page: 'fa', is: 'fa' },
  { browser: ['constructor', 'de'], page: 'en', is: 'en' },
  { browser: [], page: 'en', is: 'en' },
  { stored: 'en-US', browser: ['fa'], page: 'fa', is: 'en' },
])('the first of $query, $cookie, $stored, $browser, $page decides: $is', ({ is, ...visit }) => {
  const language = toLanguage(visit.query, visit.cookie, visit.stored, ...visit.browser, visit.page)
  expect(language).toBe(is)
  expect(firstFrame(visit)).toEqual({ lang: is, dir: languageFacts[language].dir })
})
