import { getSecondFactor } from '@kelid/contract'
import type { Page } from '@playwright/test'
import type { TFunction } from 'i18next'
import { adminPaths } from '../apps/web/src/admin/paths.ts'
import { paths } from '../apps/web/src/lib/paths.ts'
import { examine } from './examine.ts'
import type { Reseller } from './people.ts'
import { button, field, heading, notice, storedItem } from './see.ts'
import { codeOf, setUp } from './set-up-factor.ts'
import { expect, asAdministrator as test } from './test.ts'
import { rewrite } from './wire.ts'

async function typePassword(page: Page, say: TFunction, { email, password }: Reseller): Promise<void> {
  await page.goto(paths.signIn)
  await field(page, say('auth.email')).fill(email)
  await field(page, say('auth.password')).fill(password)
  await button(page, say('auth.signIn')).click()
  await expect(heading(page, say('secondFactorStep.title'))).toBeVisible()
}

const codeField = (page: Page, say: TFunction) => field(page, say('secondFactorStep.code'))

async function signOut(page: Page, say: TFunction): Promise<void> {
  await page.goto(paths.settings)
  await button(page, say('settings.signOut')).click()
  await expect(page.getByText(say('settings.signedOut'))).toBeVisible()
}

test('a second factor is set up and required at sign-in', async ({ page, say, language, administrator }) => {
  await page.goto(paths.dashboard)
  await page.getByRole('link', { name: say('offer.setUp') }).click()
  await expect(page).toHaveURL(adminPaths.security)
  await examine(page, 'second-factor-off', language)
  const { secret, confirm } = await setUp(page, say, administrator)
  await examine(page, 'second-factor-set-up', language)
  await expect(page.locator('code')).toHaveCSS('direction', 'ltr')
  const recoveryCodes = await confirm()
  await examine(page, 'second-factor-codes', language)
  const download = page.waitForEvent('download')
  await button(page, say('secondFactor.download')).click()
  expect((await download).suggestedFilename()).toBe('recovery-codes.txt')
  await button(page, say('secondFactor.kept')).click()
  await expect(page.getByText(recoveryCodes[0] ?? '')).toHaveCount(0)
  await expect(page.getByRole('switch', { name: say('secondFactor.required') })).toBeVisible()
  await examine(page, 'second-factor-on', language)

  await signOut(page, say)
  await typePassword(page, say, administrator)
  await expect(codeField(page, say)).toBeFocused()
  await examine(page, 'second-factor-step', language)
  await button(page, say('secondFactorStep.back')).click()
  await expect(field(page, say('auth.email'))).toHaveValue(administrator.email)
  await button(page, say('auth.signIn')).click()
  const code = codeOf(secret, 1)
  await codeField(page, say).fill(code)
  await page.keyboard.press('Enter')
  await expect(notice(page, say('auth.signedIn'))).toBeVisible()
  await page.waitForURL(paths.dashboard)
  expect(JSON.parse((await storedItem(page, 'kelid.session')) ?? '')).toMatchObject({ userLevel: 6 })

  await signOut(page, say)
  await typePassword(page, say, administrator)
  await codeField(page, say).fill(code)
  await button(page, say('secondFactorStep.signIn')).click()
  await expect(notice(page, say('errors.WRONG_CODE'))).toBeVisible()
  await codeField(page, say).fill((recoveryCodes[0] ?? '').toLowerCase())
  await button(page, say('secondFactorStep.signIn')).click()
  await page.waitForURL(paths.dashboard)
  await page.goto(adminPaths.security)
  await expect(page.getByText(new Intl.NumberFormat(language).format(9), { exact: true })).toBeVisible()
})

test('a required second factor is set up before anything else', async ({ page, say, administrator }) => {
  // The product is shared, so only this page gets a reply that asks for one.
  await rewrite(page, getSecondFactor, (state) => ({ ...state, isRequired: true }))
  await page.goto(adminPaths.home)
  await expect(page).toHaveURL(adminPaths.security)
  await expect(page.getByText(say('secondFactor.isRequired'))).toBeVisible()
  const { confirm } = await setUp(page, say, administrator)
  await confirm()
  await button(page, say('secondFactor.kept')).click()
  const stateRead = page.waitForResponse(`**${getSecondFactor.path}`)
  await page.goto(adminPaths.home)
  await stateRead
  await expect(page.getByRole('link', { name: say('admin.vpn'), exact: true })).toBeVisible()
  await expect(page).toHaveURL(adminPaths.home)
  await page.unrouteAll({ behavior: 'wait' })
})

test('a postponed offer stays hidden on the device', async ({ page, say }) => {
  await page.goto(adminPaths.home)
  await button(page, say('offer.later')).click()
  for (const path of [adminPaths.home, paths.dashboard]) {
    const stateRead = page.waitForResponse(`**${getSecondFactor.path}`)
    await page.goto(path)
    await stateRead
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(button(page, say('offer.later'))).toHaveCount(0)
  }
})
