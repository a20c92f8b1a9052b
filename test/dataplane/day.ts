import { writeFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { adminPaths } from '../../apps/web/src/admin/paths.ts'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { button, field, notice } from '../../e2e/see.ts'
import { say, signIn } from './browser.ts'
import { run } from './commands.ts'

/** What a reseller does at the screen, in the order of a day. */
export async function signUp(page: Page, who: { email: string; password: string }) {
  await page.goto(paths.signUp)
  await field(page, say('auth.email')).fill(who.email)
  await field(page, say('auth.password')).fill(who.password)
  await button(page, say('auth.signUp')).click()
  await page.waitForURL(paths.signIn)
  await signIn(page, who)
}

const creditScreens = { points: adminPaths.credit, tunnelCredit: adminPaths.tunnelCredit }

/** What an administrator does for a reseller who has paid, in a browser of their own. */
export async function giveCredit(
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

export async function create(page: Page, name: string, tunnelType?: 'ssh' | 'wstunnel') {
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
export async function scan(page: Page, name: string): Promise<string> {
  await button(page, say('accounts.qr.enlarge')).click()
  const picture = page.getByRole('dialog').getByRole('img', { name: say('accounts.qr.alt', { name }) })
  writeFileSync('/mnt/qr.png', await picture.screenshot())
  await page.keyboard.press('Escape')
  return run('zbarimg', '--quiet', '--raw', '/mnt/qr.png').trim()
}

export async function renew(page: Page) {
  await button(page, say('accounts.renew.action')).click()
  await field(page, say('accounts.renew.days')).fill('۱۰')
  await button(page.getByRole('dialog'), say('accounts.renew.confirm')).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

export const disable = (page: Page) =>
  page.getByRole('switch', { name: say('accounts.statusSwitch') }).uncheck()

export const isToldDisabled = (page: Page, name: string) =>
  expect(notice(page, say('accounts.nowDisabled', { name }))).toBeVisible()
