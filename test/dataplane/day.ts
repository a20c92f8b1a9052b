import { writeFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { adminPaths } from '../../apps/web/src/admin/paths.ts'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { button, field, notice } from '../../e2e/see.ts'
import { comesIn, cutAfter, downloading } from './accounts.ts'
import { type openBrowser, say, signIn, watched } from './browser.ts'
import { run, until } from './commands.ts'
import type { Customer } from './customer.ts'
import { administrator } from './product.ts'

/** What a reseller does at the screen, in the order of a day. */
async function signUp(page: Page, who: { email: string; password: string }) {
  await page.goto(paths.signUp)
  await field(page, say('auth.email')).fill(who.email)
  await field(page, say('auth.password')).fill(who.password)
  await button(page, say('auth.signUp')).click()
  await page.waitForURL(paths.signIn)
  await signIn(page, who)
}

const creditScreens = { points: adminPaths.credit, tunnelCredit: adminPaths.tunnelCredit }

/** What an administrator does for a reseller who has paid, in a browser of their own. */
async function giveCredit(
  page: Page,
  who: { email: string; password: string },
  email: string,
  units: readonly (keyof typeof creditScreens)[],
) {
  await signIn(page, who)
  for (const unit of units) {
    await page.goto(creditScreens[unit])
    await page.getByRole('searchbox').fill(email)
    await button(page, say(`amounts.actOf.${unit}`, { email })).click()
    await field(page, say(`amounts.amount.${unit}`)).fill('۱۰۰۰')
    await field(page, say('acts.reason')).fill('نقد پرداخت شد')
    await button(page.getByRole('dialog'), say(`amounts.give.${unit}`)).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
}

async function create(page: Page, name: string, tunnelType?: 'ssh' | 'wstunnel') {
  await page.goto(paths.newAccount)
  await field(page, say('accounts.name')).fill(name)
  await field(page, say('accounts.vpnType')).selectOption(tunnelType ? 'trojan' : 'hysteria2-direct')
  if (tunnelType) await field(page, say('accounts.tunnelType')).selectOption(tunnelType)
  await field(page, say('accounts.duration')).fill('۳۰')
  await button(page, say('accounts.create')).click()
  await page.waitForURL(paths.accounts)
  await page.getByRole('link', { name }).click()
}

/** As a phone's camera has it: nothing but the picture, read by a program that knows nothing of ours. */
async function scan(page: Page, name: string): Promise<string> {
  await button(page, say('accounts.qr.enlarge')).click()
  const picture = page.getByRole('dialog').getByRole('img', { name: say('accounts.qr.alt', { name }) })
  writeFileSync('/mnt/qr.png', await picture.screenshot())
  await page.keyboard.press('Escape')
  return run('zbarimg', '--quiet', '--raw', '/mnt/qr.png').trim()
}

async function renew(page: Page) {
  await button(page, say('accounts.renew.action')).click()
  await field(page, say('accounts.renew.days')).fill('۱۰')
  await button(page.getByRole('dialog'), say('accounts.renew.confirm')).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

const disable = (page: Page) => page.getByRole('switch', { name: say('accounts.statusSwitch') }).uncheck()

const isToldDisabled = (page: Page, name: string) =>
  expect(notice(page, say('accounts.nowDisabled', { name }))).toBeVisible()

interface Day {
  readonly reseller: { email: string; password: string }
  readonly name: string
  readonly tunnelType?: 'ssh' | 'wstunnel'
  readonly openAdmin: () => ReturnType<typeof openBrowser>
  /** The app of a customer who has scanned this link. */
  readonly openApp: (link: string) => Promise<Customer>
  /** In seconds. */
  readonly cutWithin: number
}

/** A reseller signs up, is given credit and sells an account; renewed its download goes on, disabled it is cut. */
export const spendDay = (page: Page, { reseller, name, tunnelType, openAdmin, openApp, cutWithin }: Day) =>
  watched(page, async () => {
    await signUp(page, reseller)
    const admin = await openAdmin()
    const units = tunnelType ? (['points', 'tunnelCredit'] as const) : (['points'] as const)
    await watched(admin.page, () => giveCredit(admin.page, administrator, reseller.email, units)).finally(
      admin.close,
    )
    await create(page, name, tunnelType)
    const app = await openApp(await scan(page, name))
    await until('the customer to come in', 10, async () => {
      if (!(await comesIn(app))) throw new Error(app.log())
    })
    const download = await downloading(app)
    await renew(page)
    expect(performance.now() - download.lastAt()).toBeLessThan(cutWithin * 250)
    const since = performance.now()
    await disable(page)
    const cut = await cutAfter(download, since, cutWithin)
    console.log(`cut ${cut} ms after the switch was pressed`)
    expect(cut).toBeLessThan(cutWithin * 1000)
    await isToldDisabled(page, name)
    expect(await comesIn(app)).toBe(false)
    app.close()
  })
