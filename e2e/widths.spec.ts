import type { Page } from '@playwright/test'
import { adminPaths } from '../apps/web/src/admin/paths.ts'
import { paths } from '../apps/web/src/lib/paths.ts'
import { asAdministrator, asReseller, expect, test } from './test.ts'

async function widthOf(page: Page, path: string): Promise<number | undefined> {
  await page.setViewportSize({ width: 1_280, height: 800 })
  await page.goto(path)
  await expect(page.locator('main h1:not([data-waiting])')).toBeVisible()
  return (await page.locator('main > div:has(h1)').boundingBox())?.width
}

test('the settings page of a visitor is 800 px wide', async ({ page }) => {
  expect(await widthOf(page, paths.settings)).toBe(800)
})

asReseller('the settings page of a reseller is 800 px wide', async ({ page }) => {
  expect(await widthOf(page, paths.settings)).toBe(800)
})

asAdministrator('the landing page of the administration is 600 px wide', async ({ page }) => {
  expect(await widthOf(page, adminPaths.home)).toBe(600)
})
