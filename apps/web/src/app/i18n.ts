import { type Language, languageFacts, languageLoading, languages, toLanguage } from '@kelid/contract'
import i18next, { type BackendModule, type i18n, type Resource, type ResourceKey } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type audit from '../admin/audit/words/en.json'
import type dashboard from '../admin/dashboard/words/en.json'
import type entry from '../admin/entry/words/en.json'
import type plans from '../admin/plans/words/en.json'
import type adminSales from '../admin/sales/words/en.json'
import type adminSecondFactor from '../admin/second-factor/words/en.json'
import type settings from '../admin/settings/words/en.json'
import type upgrades from '../admin/upgrades/words/en.json'
import type admin from '../admin/words/en.json'
import type calls from '../calls/words/en.json'
import { cookieText } from '../lib/cookie.ts'
import { languageStore } from '../lib/current-language.ts'
import { loadWords } from '../lib/load-words.ts'
import { storageKeys, writeStored } from '../lib/stored.ts'
import type { Namespace } from '../lib/words.ts'
import { wordsUrl } from '../lib/words-url.ts'
import type newAccount from '../reseller/accounts/new/words/en.json'
import type overview from '../reseller/accounts/overview/words/en.json'
import type accountSpeed from '../reseller/accounts/speed/words/en.json'
import type auth from '../reseller/auth/words/en.json'
import type credit from '../reseller/credit/words/en.json'
import type reseller from '../reseller/words/en.json'
import type shared from '../shared/words/en.json'
import type appearance from '../ui/appearance/words/en.json'
import type password from '../ui/password/words/en.json'
import type codeStep from '../visitor/auth/second-factor/words/en.json'
import type home from '../visitor/home/words/en.json'
import type visitor from '../visitor/words/en.json'
import type app from './words/en.json'

interface Words {
  app: typeof app
  calls: typeof calls
  shared: typeof shared
  'ui/appearance': typeof appearance
  'ui/password': typeof password
  visitor: typeof visitor
  'visitor/home': typeof home
  'visitor/auth/second-factor': typeof codeStep
  reseller: typeof reseller
  'reseller/accounts/new': typeof newAccount
  'reseller/auth': typeof auth
  'reseller/accounts/speed': typeof accountSpeed
  'reseller/credit': typeof credit
  'reseller/accounts/overview': typeof overview
  admin: typeof admin
  'admin/entry': typeof entry
  'admin/audit': typeof audit
  'admin/sales': typeof adminSales
  'admin/plans': typeof plans
  'admin/second-factor': typeof adminSecondFactor
  'admin/dashboard': typeof dashboard
  'admin/settings': typeof settings
  'admin/upgrades': typeof upgrades
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app'
    fallbackNS: ['shared', 'calls', 'app']
    resources: Words
  }
}

const common = {
  // A test checks that every language is complete; a fallback would make every Persian visitor download English.
  fallbackLng: false,
  supportedLngs: languages,
  load: 'languageOnly',
  defaultNS: 'app',
  fallbackNS: ['shared', 'calls', 'app'],
  interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
  react: { useSuspense: false },
} as const

export function createI18n(language: Language, words: Partial<Record<Namespace, object>>): i18n {
  const instance = i18next.createInstance()
  const resources = { [language]: words } as Resource
  void instance.use(initReactI18next).init({
    ...common,
    lng: language,
    ns: Object.keys(words),
    resources,
    initAsync: false,
  })
  return instance
}

const wordsBackend: BackendModule = {
  type: 'backend',
  init: () => {},
  read: (language, namespace, callback) =>
    void fetchWords(wordsUrl(toLanguage(language), namespace as Namespace)).then(
      (words) => callback(null, words),
      (error: Error) => callback(error, true),
    ),
}

async function fetchWords(url: string): Promise<ResourceKey> {
  const reply = await fetch(url)
  if (!reply.ok) throw new Error(`${url} is not there`)
  return (await reply.json()) as ResourceKey
}

/** The page contains the words of its screen; i18next fetches all others. */
export async function startI18n(): Promise<i18n> {
  const language = toLanguage(document.documentElement.lang)
  const block = document.getElementById('words')
  const pageWords = block?.lang === language ? (JSON.parse(block.textContent || '{}') as object) : {}
  const pageNamespaces = (block?.dataset.namespaces?.split(' ') ?? ['app']) as Namespace[]
  await i18next
    .use(wordsBackend)
    .use(initReactI18next)
    .init({
      ...common,
      lng: language,
      ns: pageNamespaces,
      resources: { [language]: pageWords } as Resource,
      partialBundledLanguages: true,
      maxParallelReads: languageLoading.maxParallelReads,
      maxRetries: languageLoading.maxRetries,
      retryTimeout: languageLoading.retryTimeoutMs,
    })
  await loadWords(i18next, language, pageNamespaces)
  const apply = () => applyLanguage(toLanguage(i18next.language))
  i18next.on('languageChanged', apply)
  apply()
  return i18next
}

function applyLanguage(language: Language): void {
  const root = document.documentElement
  root.lang = language
  root.dir = languageFacts[language].dir
  rememberLanguage(language, root.dir)
  languageStore.set(language)
}

/** The server reads the cookie, which lasts ten minutes. */
function rememberLanguage(language: Language, direction: string): void {
  writeStored(storageKeys.language, language)
  writeStored(storageKeys.direction, direction)
  const maxAge = languageLoading.cookieMinutes * 60
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is missing in Firefox and Safari
  document.cookie = cookieText(storageKeys.language, language, { path: '/', maxAge, sameSite: 'lax' })
}
