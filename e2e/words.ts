import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '@kelid/contract'
import i18next, { type TFunction } from 'i18next'
import type en from '../apps/web/src/locales/en.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

const locales = join(import.meta.dirname, '../apps/web/src/locales')

/** The client's own words, put together by the client's own rules, so that tests say what a user reads. */
export function wordsOf(language: Language): TFunction {
  const translation = JSON.parse(readFileSync(join(locales, `${language}.json`), 'utf8')) as typeof en
  const instance = i18next.createInstance()
  void instance.init({
    lng: language,
    resources: { [language]: { translation } },
    interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
    initAsync: false,
  })
  return instance.t
}
