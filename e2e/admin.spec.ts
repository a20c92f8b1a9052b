import { randomUUID } from 'node:crypto'
import { adminPaths, changeTunnelPath, personPath, serverPath } from '../apps/web/src/admin/paths.ts'
import { paths } from '../apps/web/src/lib/paths.ts'
import { examine } from './examine.ts'
import { heading, notice } from './see.ts'
import { asAdministrator, asReseller, expect, test } from './test.ts'

/** Without the slash, the address looks like a file name. */
const person = personPath('reza.karimi@example.com').slice(0, -1)

asAdministrator('every screen links an administrator to the admin area', async ({ page, say }) => {
  for (const path of [paths.dashboard, paths.settings]) {
    await page.goto(path)
    await page.getByRole('link', { name: say('entry.link') }).click()
    await expect(page).toHaveURL(paths.admin)
    await expect(heading(page, say('admin.title'))).toBeVisible()
  }
  await expect(page.getByRole('link', { name: say('admin.vpn'), exact: true })).toBeVisible()
  const landing = await page.locator('main > div:has(h1)').boundingBox()
  expect(landing?.width).toBeLessThanOrEqual(600)
  await page.getByRole('link', { name: say('admin.management'), exact: true }).click()
  await expect(page).toHaveURL(adminPaths.dashboard)
})

const closed = [
  ...[paths.admin, adminPaths.management, adminPaths.vpn, adminPaths.servers, adminPaths.addServer],
  ...[adminPaths.addTunnel, serverPath(randomUUID()), changeTunnelPath(randomUUID()), person],
  ...[adminPaths.compensations, adminPaths.debt, adminPaths.credit, adminPaths.prices, adminPaths.people],
]

asReseller(
  'a reseller is refused in the admin area and calls nothing there',
  async ({ page, say, language }) => {
    const adminCalls: string[] = []
    page.on('request', (request) => {
      if (/\/api\/v1\/(?:servers|tunnels|admin)\//.test(request.url())) adminCalls.push(request.url())
    })
    await page.goto(paths.dashboard)
    await expect(page.locator('nav a')).toHaveCount(3)
    for (const path of closed) {
      await page.goto(path)
      await expect(notice(page, say('client.accessDenied'))).toBeVisible()
      await expect(heading(page, say('client.adminAccessDenied'))).toBeVisible()
      await expect(page.getByText(say('client.accessDeniedTitle'))).toBeVisible()
    }
    expect(adminCalls).toEqual([])
    await examine(page, 'admin-denied', language)
  },
)

test('a visitor is asked to log in to the admin area', async ({ page, say, language }) => {
  for (const path of [person, adminPaths.management]) {
    await page.goto(path)
    await expect(notice(page, say('client.loginForManagement'))).toBeVisible()
    await expect(heading(page, say('client.adminAccessDenied'))).toBeVisible()
  }
  await examine(page, 'admin-signed-out', language)
  await page.getByRole('link', { name: say('entry.signIn') }).click()
  await expect(page).toHaveURL(paths.signIn)
})
