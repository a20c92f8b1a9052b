import { languageFacts } from '@kelid/contract'
import { adminPaths } from '../apps/web/src/admin/paths.ts'
import { examine } from './examine.ts'
import { button } from './see.ts'
import { expect, asAdministrator as test } from './test.ts'

const phone = { width: 360, height: 740 }

test('the menu on a phone is a drawer at the start edge', async ({ page, say, language }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize(phone)
  await page.goto(adminPaths.dashboard)
  const opener = button(page, say('menu.open'))
  const drawer = page.getByRole('dialog', { name: say('menu.title') })
  await opener.click()
  await expect(drawer).toBeVisible()
  const box = await drawer.boundingBox()
  if (!box) throw new Error('the drawer has no box')
  expect([box.y, box.height]).toEqual([0, phone.height])
  expect(box.width).toBeLessThanOrEqual(300)
  const isRtl = languageFacts[language].dir === 'rtl'
  expect(isRtl ? box.x + box.width : box.x).toBe(isRtl ? phone.width : 0)
  await examine(page, 'admin-menu', language)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(opener).toBeFocused()
  await opener.click()
  await drawer.getByRole('link', { name: say('menu.people'), exact: true }).click()
  await expect(page).toHaveURL(adminPaths.people)
  await expect(drawer).toBeHidden()
})

test('a click anywhere on a row opens it', async ({ page, administrator }) => {
  // Each list is narrowed to one row: a row that moves between press and release is not clicked.
  const lists = [
    [adminPaths.servers, 'fra1.example.com', /\/server\//],
    [adminPaths.tunnels, 'thr-wstunnel', /\/tunnel\//],
    [adminPaths.people, administrator.email, /\/people\/.+/],
  ] as const
  for (const [path, search, one] of lists) {
    await page.goto(`${path}?${new URLSearchParams({ search })}`)
    const rows = page.locator('main tbody tr')
    await expect(rows).toHaveCount(1)
    await rows.locator('td:not(:has(a, button))').first().click()
    await expect(page).toHaveURL(one)
  }
})
