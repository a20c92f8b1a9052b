import { expect, type Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { button } from '../../e2e/see.ts'
import { appOf } from './accounts.ts'
import { openBrowser, say, watched } from './browser.ts'
import { spendDay } from './day.ts'
import { added } from './installation.ts'
import { origin } from './product.ts'

let page: Page
let close: () => Promise<void>
beforeAll(async () => {
  await added()
  ;({ page, close } = await openBrowser(origin))
})
afterAll(() => close?.())

test('a reseller signs up, gets credit and sells an account behind a tunnel; renewed it goes on, disabled it is cut', async () => {
  await spendDay(page, {
    reseller: { email: 'reza@example.com', password: 'Aa1-on-a-long-day' },
    name: 'reza_phone',
    tunnelType: 'wstunnel',
    openAdmin: () => openBrowser(origin),
    openApp: (accountQRString) => {
      expect(accountQRString).toMatch(/^trojan:\/\//)
      return appOf({ accountQRString })
    },
    cutWithin: 2,
  })
  await watched(page, async () => {
    await button(page, say('accounts.delete.action')).click()
    await button(page.getByRole('dialog'), say('accounts.delete.confirm')).click()
    await page.waitForURL(paths.accounts)
  })
})
