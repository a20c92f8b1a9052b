import { type Language, languageFacts, languageLoading, languages, toLanguage } from '@kelid/contract'
import i18next, { type i18n, type Resource } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type en from '../locales/en.json'
import { languageStore } from './current-language.ts'
import { LazyBackend } from './lazy-backend.ts'
import { localeUrls } from './locale-urls.ts'
import { storageKeys, writeStored } from './stored.ts'
import { completeWords, fetchWords, wordsOfPage } from './words.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

const shared = {
  // Every language has every word, which a test sees to: a fallback would fetch English for every Persian visitor.
  fallbackLng: false,
  supportedLngs: languages,
  load: 'languageOnly',
  interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
  react: { useSuspense: false },
} as const

/** The words of one language, at hand already: for rendering on the server and in tests. */
export function createI18n(language: Language, words: object): i18n {
  const instance = i18next.createInstance()
  const resources = { [language]: { translation: words } } as Resource
  void instance.use(initReactI18next).init({ ...shared, lng: language, resources, initAsync: false })
  return instance
}

/**
 * The language in use was found by first-frame.js, in the order of the specification, and its words come first; the
 * other one is fetched when somebody switches.
 */
export async function startI18n(): Promise<i18n> {
  const first = toLanguage(document.documentElement.lang)
  const resources = { [first]: { translation: wordsOfPage(first) ?? (await fetchWords(first)) } } as Resource
  await i18next
    .use(LazyBackend)
    .use(initReactI18next)
    .init({
      ...shared,
      lng: first,
      resources,
      partialBundledLanguages: true,
      backend: { loadPath: ([language]: string[]) => localeUrls[toLanguage(language)] },
      maxParallelReads: languageLoading.maxParallelReads,
      maxRetries: languageLoading.maxRetries,
      retryTimeout: languageLoading.retryTimeoutMs,
    })
  const apply = () => applyLanguage(toLanguage(i18next.language))
  i18next.on('languageChanged', apply)
  apply()
  return i18next
}

/** Before a screen outside the prerendered ones is shown. */
export const loadAllWords = (): Promise<void> => completeWords(i18next)

function applyLanguage(language: Language): void {
  const root = document.documentElement
  root.lang = language
  root.dir = languageFacts[language].dir
  rememberLanguage(language, root.dir)
  languageStore.set(language)
}

/** For the next visit, and for ten minutes in a cookie that the server sees. */
function rememberLanguage(language: Language, direction: string): void {
  writeStored(storageKeys.language, language)
  writeStored(storageKeys.direction, direction)
  const seconds = languageLoading.cookieMinutes * 60
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is missing in Firefox and Safari
  document.cookie = `${storageKeys.language}=${language}; path=/; max-age=${seconds}; samesite=lax`
}
