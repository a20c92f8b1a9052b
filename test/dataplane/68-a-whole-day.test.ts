import { expect, type Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { button } from '../../e2e/see.ts'
import { appOf, comesIn, cutAfter, downloading } from './accounts.ts'
import { openBrowser, say, watched } from './browser.ts'
import { until } from './commands.ts'
import { create, disable, giveCredit, isToldDisabled, renew, scan, signUp } from './day.ts'
import { added } from './installation.ts'
import { administrator, origin } from './product.ts'

const reseller = { email: 'reza@example.com', password: 'Aa1-on-a-long-day' }
const name = 'reza_phone'

let page: Page
let close: () => Promise<void>
beforeAll(async () => {
  await added()
  ;({ page, close } = await openBrowser(origin))
})
afterAll(() => close?.())

async function getCredit() {
  const { page: theirs, close } = await openBrowser(origin)
  await watched(theirs, () =>
    giveCredit(theirs, administrator, reseller.email, ['points', 'tunnelCredit']),
  ).finally(close)
}

test('a reseller signs up, gets credit and creates an account; its QR code is scanned and connects; renewed it goes on, disabled it is cut', async () => {
  await watched(page, async () => {
    await signUp(page, reseller)
    await getCredit()
    await create(page, name, 'wstunnel')
    const accountQRString = await scan(page, name)
    expect(accountQRString).toMatch(/^trojan:\/\//)
    const app = await appOf({ accountQRString })
    await until('the customer to come in', 10, async () => {
      if (!(await comesIn(app))) throw new Error(app.log())
    })
    const download = await downloading(app)
    await renew(page)
    expect(performance.now() - download.lastAt()).toBeLessThan(500)

    const since = performance.now()
    await disable(page)
    const cut = await cutAfter(download, since, 2)
    console.log(`cut ${cut} ms after the switch was pressed`)
    expect(cut).toBeLessThan(2000)
    await isToldDisabled(page, name)
    expect(await comesIn(app)).toBe(false)
    app.close()
    await button(page, say('accounts.delete.action')).click()
    await button(page.getByRole('dialog'), say('accounts.delete.confirm')).click()
    await page.waitForURL(paths.accounts)
  })
})
