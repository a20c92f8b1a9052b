import { writeFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { button, field, notice } from '../../e2e/see.ts'
import { appOf, comesIn, cutAfter, downloading, type Kind } from './accounts.ts'
import { openBrowser, say, signIn, watched } from './browser.ts'
import { run, until } from './commands.ts'
import { added } from './installation.ts'
import { call } from './product.ts'

const reseller = { email: 'reza@example.com', password: 'Aa1-on-a-long-day' }
const name = 'reza_phone'
const kind: Kind = 'wstunnel'

let page: Page
let close: () => Promise<void>
beforeAll(async () => {
  await added()
  ;({ page, close } = await openBrowser())
})
afterAll(() => close?.())

async function signUp() {
  await page.goto(paths.signUp)
  await field(page, say('auth.email')).fill(reseller.email)
  await field(page, say('auth.password')).fill(reseller.password)
  await button(page, say('auth.signUp')).click()
  await page.waitForURL(paths.signIn)
  await signIn(page, reseller)
}

async function getCredit() {
  const gift = { userEmail: reseller.email, amount: 1_000, reason: 'paid in cash' }
  await call('admin/adjustusercredit', gift)
  await call('admin/adjustusertunnelcredit', gift)
}

async function create() {
  await page.goto(paths.newAccount)
  await field(page, say('accounts.name')).fill(name)
  await field(page, say('accounts.vpnType')).selectOption('trojan')
  await field(page, say('accounts.tunnelType')).selectOption(kind)
  await field(page, say('accounts.duration')).fill('۳۰')
  await button(page, say('accounts.create')).click()
  await page.waitForURL(paths.accounts)
  await page.getByRole('link', { name }).click()
}

/** As a phone's camera has it: nothing but the picture. */
async function scan(): Promise<string> {
  await button(page, say('accounts.qr.enlarge')).click()
  const picture = page.getByRole('dialog').getByRole('img', { name: say('accounts.qr.alt', { name }) })
  writeFileSync('/mnt/qr.png', await picture.screenshot())
  await page.keyboard.press('Escape')
  return run('zbarimg', '--quiet', '--raw', '/mnt/qr.png').trim()
}

async function renew() {
  await button(page, say('accounts.renew.action')).click()
  await field(page, say('accounts.renew.days')).fill('۱۰')
  await button(page.getByRole('dialog'), say('accounts.renew.confirm')).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('a reseller signs up, gets credit and creates an account; its QR code is scanned and connects; renewed it goes on, disabled it is cut', async () => {
  await watched(page, async () => {
    await signUp()
    await getCredit()
    await create()
    const accountQRString = await scan()
    expect(accountQRString).toMatch(/^trojan:\/\//)
    const app = await appOf({ accountQRString })
    await until('the customer to come in', 10, async () => {
      if (!(await comesIn(app))) throw new Error(app.log())
    })
    const download = await downloading(app)
    await renew()
    expect(performance.now() - download.lastAt()).toBeLessThan(500)

    const since = performance.now()
    await page.getByRole('switch', { name: say('accounts.statusSwitch') }).uncheck()
    const cut = await cutAfter(download, since, 2)
    console.log(`cut ${cut} ms after the switch was pressed`)
    expect(cut).toBeLessThan(2000)
    await expect(notice(page, say('accounts.nowDisabled', { name }))).toBeVisible()
    expect(await comesIn(app)).toBe(false)
    app.close()
    await button(page, say('accounts.delete.action')).click()
    await button(page.getByRole('dialog'), say('accounts.delete.confirm')).click()
    await page.waitForURL(paths.accounts)
  })
})
