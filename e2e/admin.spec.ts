import { adminPaths, personPath } from '../apps/web/src/admin/paths.ts'
import { paths } from '../apps/web/src/lib/paths.ts'
import { examine } from './examine.ts'
import { heading, notice } from './see.ts'
import { asAdministrator, asReseller, expect, test } from './test.ts'

/** Without the slash it ends like the name of a file. */
const person = personPath('reza.karimi@example.com').slice(0, -1)

asAdministrator('every screen links an administrator to the admin area', async ({ page, say }) => {
  for (const path of [paths.dashboard, paths.settings]) {
    await page.goto(path)
    await page.getByRole('link', { name: say('door.wayIn') }).click()
    await expect(page).toHaveURL(paths.admin)
    await expect(heading(page, say('admin.title'))).toBeVisible()
  }
  await expect(page.getByRole('link', { name: say('admin.vpn'), exact: true })).toBeVisible()
  const landing = await page.locator('main > div:has(h1)').boundingBox()
  expect(landing?.width).toBeLessThanOrEqual(600)
  await page.getByRole('link', { name: say('admin.management'), exact: true }).click()
  await expect(page).toHaveURL(adminPaths.dashboard)
})

asReseller('a reseller is refused in the admin area', async ({ page, say, language }) => {
  await page.goto(paths.dashboard)
  await expect(page.locator('nav a')).toHaveCount(3)
  for (const path of [paths.admin, adminPaths.management, adminPaths.vpn, adminPaths.addServer, person]) {
    await page.goto(path)
    await expect(notice(page, say('client.accessDenied'))).toBeVisible()
    await expect(heading(page, say('client.adminAccessDenied'))).toBeVisible()
    await expect(page.getByText(say('client.accessDeniedTitle'))).toBeVisible()
  }
  await examine(page, 'admin-denied', language)
})

test('a visitor is asked to log in to the admin area', async ({ page, say, language }) => {
  for (const path of [person, adminPaths.management]) {
    await page.goto(path)
    await expect(notice(page, say('client.loginForManagement'))).toBeVisible()
    await expect(heading(page, say('client.adminAccessDenied'))).toBeVisible()
  }
  await examine(page, 'admin-signed-out', language)
  await page.getByRole('link', { name: say('door.signIn') }).click()
  await expect(page).toHaveURL(paths.signIn)
})
