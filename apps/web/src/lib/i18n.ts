import { fallbackLanguage, type Language, languageLoading, languages } from '@kelid/contract'
import i18next, { type i18n, type Resource } from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import HttpBackend from 'i18next-http-backend'
import { initReactI18next } from 'react-i18next'
import type en from '../locales/en.json'
import { languageStore } from './current-language.ts'
import { languageFacts, toLanguage } from './languages.ts'
import { localeUrls } from './locale-urls.ts'
import { storageKeys, writeStored } from './stored.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

const shared = {
  fallbackLng: fallbackLanguage,
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

const detection = {
  order: ['querystring', 'cookie', 'localStorage', 'navigator', 'htmlTag', 'path', 'subdomain'],
  lookupQuerystring: 'lng',
  lookupCookie: storageKeys.language,
  lookupLocalStorage: storageKeys.language,
  caches: ['localStorage', 'cookie'],
  cookieMinutes: languageLoading.cookieMinutes,
  cookieOptions: { path: '/', sameSite: 'lax' as const },
  convertDetectedLanguage: toLanguage,
}

/** The loader's own rule for a bad network: again after 350 ms, doubling, five times. */
async function firstWords(language: Language, retries = 0): Promise<object> {
  try {
    const reply = await fetch(localeUrls[language])
    if (!reply.ok) throw new Error(`The words of ${language} are not there`)
    return (await reply.json()) as object
  } catch (error) {
    if (retries === languageLoading.maxRetries) throw error
    await new Promise((resolve) => setTimeout(resolve, languageLoading.retryTimeoutMs * 2 ** retries))
    return firstWords(language, retries + 1)
  }
}

/** The language in use comes first and from its own file; the other one is fetched when somebody switches. */
export async function startI18n(): Promise<i18n> {
  const first = toLanguage(document.documentElement.lang)
  const resources = { [first]: { translation: await firstWords(first) } } as Resource
  await i18next
    .use(HttpBackend)
    .use(LanguageDetector)
    .use(initReactI18next)
    .init({
      ...shared,
      resources,
      partialBundledLanguages: true,
      detection,
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

function applyLanguage(language: Language): void {
  const root = document.documentElement
  root.lang = language
  root.dir = languageFacts[language].dir
  writeStored(storageKeys.direction, root.dir)
  languageStore.set(language)
}
