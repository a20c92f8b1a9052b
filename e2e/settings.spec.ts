import { signOut } from '@kelid/contract'
import { paths } from '../apps/web/src/lib/paths.ts'
import { link } from './see.ts'
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

test('the log-out covers the whole screen while it waits, even above a dialog', async ({ page, say }) => {
  await page.goto(paths.settings)
  await expect(page.getByText(say('settings.thisSession'))).toBeVisible()
  await holdBack(page, signOut)
  await page.evaluate(() => document.body.appendChild(document.createElement('dialog')).showModal())
  // A user cannot press a button under a dialog, but may have pressed it just before.
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
