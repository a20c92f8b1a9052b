import type { Language } from '@kelid/contract'
import { test as base } from '@playwright/test'
import type { TFunction } from 'i18next'
import { newAdministrator, newReseller, type Reseller, randomAddress } from './people.ts'
import { testedProduct } from './product/tested-product.ts'
import { wordsOf } from './words.ts'

export { expect } from '@playwright/test'

export interface Options {
  language: Language
}

interface Fixtures {
  /** The words of the project's language. */
  say: TFunction
  reseller: Reseller
  administrator: Reseller
}

/** The local storage of a returning user. */
export const stored = (items: Record<string, string>) => ({
  cookies: [],
  origins: [
    {
      origin: testedProduct().url,
      localStorage: Object.entries(items).map(([name, value]) => ({ name, value })),
    },
  ],
})

export const sessionItems = (language: Language, token: string, userLevel?: number) => ({
  'kelid.language': language,
  'kelid.session': JSON.stringify({ token, userLevel }),
})

/** A visitor with a browser in the project's language. */
export const test = base.extend<Options & Fixtures>({
  language: ['en', { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
  baseURL: async ({}, use) => use(testedProduct().url),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': randomAddress() }),
  page: async ({ page }, use) => {
    await use(page)
    // Ignores requests that are still being rewritten.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  say: async ({ language }, use) => use(wordsOf(language)),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  reseller: async ({}, use) => use(await newReseller()),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  administrator: async ({}, use) => use(await newAdministrator()),
})

/** A signed-in reseller with credit. */
export const asReseller = test.extend({
  storageState: async ({ language, reseller }, use) => use(stored(sessionItems(language, reseller.token))),
})

/** A signed-in administrator. */
export const asAdministrator = test.extend({
  storageState: async ({ language, administrator }, use) =>
    use(stored(sessionItems(language, administrator.token, 6))),
})
