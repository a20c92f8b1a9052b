import { getSessions, getUser, signIn, signOut } from '@kelid/contract'
import { paths } from '../apps/web/src/lib/paths.ts'
import { callAt } from './call.ts'
import { newPerson } from './people.ts'
import { testedProduct } from './product/tested-product.ts'
import { beside, button, field, link, notice } from './see.ts'
import { expect, asReseller as test } from './test.ts'
import { holdBack } from './wire.ts'

test('dark mode and colour apply at once and are kept', async ({ page, say }) => {
  await page.goto(paths.settings)
  const root = page.locator('html')
  await page.getByRole('switch', { name: say('settings.darkMode') }).check()
  await page.getByRole('radio', { name: say('settings.colors.green') }).check()
  for (const _ of ['at once', 'after a reload']) {
    await expect(root).toHaveAttribute('data-mode', 'dark')
    await expect(root).toHaveAttribute('data-color', 'green')
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(0, 0, 0)')
    await page.reload()
  }
  await page.getByRole('switch', { name: say('settings.darkMode') }).uncheck()
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
})

test('with reduced motion the theme changes in one frame', async ({ page, say }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(paths.settings)
  await expect(page.getByText(say('settings.thisSession'))).toBeVisible()
  const moving = await page.evaluate(async () => {
    document.documentElement.dataset.mode = 'dark'
    await new Promise((resolve) => requestAnimationFrame(resolve))
    return document.getAnimations().length
  })
  expect(moving).toBe(0)
})

test('the page shows the user, a contact and a link to the accounts', async ({ page, say, reseller }) => {
  await page.goto(paths.settings)
  await expect(page.getByText(reseller.email)).toBeVisible()
  await expect(page.getByRole('link', { name: 'sales@kelid.test' })).toBeVisible()
  await expect(page.getByLabel(say('settings.language'), { exact: true })).toBeHidden()
  expect((await page.getByRole('main').boundingBox())?.width).toBeLessThanOrEqual(1280)
  await link(page.getByRole('main'), say('settings.toAccounts')).click()
  await expect(page).toHaveURL(paths.accounts)
})

test("a reseller's contact is kept and is on the page of their customers", async ({
  page,
  say,
  reseller,
}) => {
  const { accountSubscriptionPath } = await reseller.account()
  await page.goto(paths.settings)
  const contact = field(page, say('settings.customersContactLabel'))
  const save = button(page, say('settings.customersContactSave'))
  await expect(save).toBeDisabled()
  await contact.fill('x'.repeat(101))
  await contact.blur()
  await expect(await beside(contact)).toHaveText(say('rules.contact'))
  await contact.fill('@ali_shop')
  await save.click()
  await expect(notice(page, say('settings.customersContactSaved'))).toBeVisible()
  await expect(save).toBeDisabled()
  await page.reload()
  await expect(contact).toHaveValue('@ali_shop')
  await page.goto(accountSubscriptionPath)
  await expect(page.getByText('@ali_shop', { exact: true })).toBeVisible()
})

test('another session is listed and can be ended', async ({ page, say, reseller }) => {
  const other = await reseller.again()
  await page.goto(paths.settings)
  await expect(page.getByText(say('settings.thisSession'))).toHaveCount(1)
  await page.getByRole('listitem').getByText(say('settings.endSession'), { exact: true }).click()
  await expect(notice(page, say('settings.sessionEnded'))).toBeVisible()
  await expect(page.getByRole('listitem').getByText(say('settings.endSession'), { exact: true })).toHaveCount(
    0,
  )
  await expect(other.call(getUser, {})).rejects.toMatchObject({ type: 'UNAUTHENTICATED' })
})

test('a new password replaces the old one and ends other sessions', async ({ page, say, reseller }) => {
  const other = await reseller.again()
  const { password } = newPerson()
  await page.goto(paths.settings)
  const change = button(page, say('settings.changePassword'))
  await field(page, say('settings.oldPassword')).fill('Wrong-1-password')
  await field(page, say('settings.newPassword')).fill(password)
  await change.click()
  await expect(notice(page, say('errors.WRONG_CREDENTIALS'))).toBeVisible()
  await field(page, say('settings.oldPassword')).fill(reseller.password)
  await change.click()
  await expect(notice(page, say('settings.passwordChanged'))).toBeVisible()
  await expect(field(page, say('settings.oldPassword'))).toHaveValue('')
  await expect(other.call(getUser, {})).rejects.toMatchObject({ type: 'UNAUTHENTICATED' })
  const { items } = await reseller.call(getSessions, {})
  expect(items).toHaveLength(1)
  await callAt(testedProduct().url)(signIn, { email: reseller.email, password })
})

test('the log-out covers the whole screen while it waits, even above a dialog', async ({ page, say }) => {
  await page.goto(paths.settings)
  await expect(page.getByText(say('settings.thisSession'))).toBeVisible()
  await holdBack(page, signOut)
  await page.evaluate(() => document.body.appendChild(document.createElement('dialog')).showModal())
  // What lies under a dialog can be pressed by no user; the press may have been on its way.
  await page
    .locator('main button', { hasText: say('settings.signOut') })
    .first()
    .evaluate((element: HTMLElement) => element.click())
  const overlay = page.locator('[data-variant=full-screen]')
  await expect(overlay).toBeVisible()
  const isOnTop = await page.evaluate(() => {
    const topmost = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('dialog')
    return Boolean(topmost?.querySelector('[data-variant=full-screen]'))
  })
  expect(isOnTop).toBe(true)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(overlay).toBeVisible()
  await expect(page.getByText(say('settings.signedOut'))).toBeVisible()
})
