import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '@kelid/contract'
import i18next, { type TFunction } from 'i18next'
import type audit from '../apps/web/src/admin/audit/words/en.json'
import type dashboard from '../apps/web/src/admin/dashboard/words/en.json'
import type entry from '../apps/web/src/admin/entry/words/en.json'
import type plans from '../apps/web/src/admin/plans/words/en.json'
import type adminSales from '../apps/web/src/admin/sales/words/en.json'
import type adminSecondFactor from '../apps/web/src/admin/second-factor/words/en.json'
import type settings from '../apps/web/src/admin/settings/words/en.json'
import type upgrades from '../apps/web/src/admin/upgrades/words/en.json'
import type admin from '../apps/web/src/admin/words/en.json'
import type app from '../apps/web/src/app/words/en.json'
import type calls from '../apps/web/src/calls/words/en.json'
import { namespaces } from '../apps/web/src/lib/words.ts'
import type newAccount from '../apps/web/src/reseller/accounts/new/words/en.json'
import type overview from '../apps/web/src/reseller/accounts/overview/words/en.json'
import type accountSpeed from '../apps/web/src/reseller/accounts/speed/words/en.json'
import type auth from '../apps/web/src/reseller/auth/words/en.json'
import type credit from '../apps/web/src/reseller/credit/words/en.json'
import type reseller from '../apps/web/src/reseller/words/en.json'
import type shared from '../apps/web/src/shared/words/en.json'
import type appearance from '../apps/web/src/ui/appearance/words/en.json'
import type password from '../apps/web/src/ui/password/words/en.json'
import type codeStep from '../apps/web/src/visitor/auth/second-factor/words/en.json'
import type home from '../apps/web/src/visitor/home/words/en.json'
import type visitor from '../apps/web/src/visitor/words/en.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: {
      translation: typeof app &
        typeof calls &
        typeof shared &
        typeof appearance &
        typeof password &
        typeof visitor &
        typeof home &
        typeof codeStep &
        typeof reseller &
        typeof newAccount &
        typeof auth &
        typeof accountSpeed &
        typeof credit &
        typeof overview &
        typeof admin &
        typeof upgrades &
        typeof plans &
        typeof settings &
        typeof dashboard &
        typeof audit &
        typeof adminSecondFactor &
        typeof adminSales &
        typeof entry
    }
  }
}

/** The client's words, combined like in the client. */
export function wordsOf(language: Language): TFunction {
  const instance = i18next.createInstance()
  void instance.init({
    lng: language,
    resources: {},
    interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
    initAsync: false,
  })
  for (const namespace of namespaces) {
    const file = join(import.meta.dirname, `../apps/web/src/${namespace}/words/${language}.json`)
    instance.addResourceBundle(language, 'translation', JSON.parse(readFileSync(file, 'utf8')), true)
  }
  return instance.t
}
