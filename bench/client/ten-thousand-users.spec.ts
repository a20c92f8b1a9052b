import { type Browser, expect, type Page, test } from '@playwright/test'
import { adminPaths } from '../../apps/web/src/admin/paths.ts'
import { newAdministrator } from '../../e2e/people.ts'
import { theHouse } from '../../e2e/product/house.ts'
import { sessionItems, stored } from '../../e2e/test.ts'
import { type Acts, expectNoHoldUps } from './hold-ups.ts'
import { fakeUsers } from './many-users.ts'

const count = 10_000
const pages = 10
const atOnce = 50

/** By the address it leads to, and not by role and name: what a test does to ask would count as work of the page. */
const link = (n: number) => `main a[href*="reseller.${String(n).padStart(5, '0')}%"]`
const isThere = (page: Page, n: number) =>
  page.waitForFunction((selector) => document.querySelector(selector) !== null, link(n))
const isGone = (page: Page, n: number) =>
  page.waitForFunction((selector) => document.querySelector(selector) === null, link(n))

const readOn = async (page: Page) => {
  for (let read = 1; read < pages; read += 1) {
    await page.evaluate(() => document.querySelector<HTMLElement>('main section > button')?.click())
    await isThere(page, count - 1 - read * atOnce)
  }
}

const search = async (page: Page) => {
  const field = page.locator('main input[type=search]')
  await field.pressSequentially('reseller.077', { delay: 20 })
  await isThere(page, 7_799)
  await isGone(page, count - 1)
  await field.fill('')
  await isThere(page, count - 1)
}

const narrow = async (page: Page) => {
  const [filter, sort] = [page.locator('main select').nth(0), page.locator('main select').nth(1)]
  await filter.selectOption('customRate')
  await isGone(page, count - 1)
  await filter.selectOption('all')
  await isThere(page, count - 1)
  await sort.selectOption('userEmail')
  await isThere(page, 0)
}

const adjust = async (page: Page) => {
  await page.locator('main td button').first().click()
  await page.locator('dialog input').nth(0).pressSequentially('1500', { delay: 20 })
  await page.locator('dialog input').nth(1).pressSequentially('paid', { delay: 20 })
  await page.keyboard.press('Escape')
  await expect(page.locator('dialog')).toHaveCount(0)
}

const acts: Acts = { search, 'read on': readOn, 'search again': search, narrow, adjust }

const openAt = (width: number) => async (browser: Browser) => {
  const { token } = await newAdministrator()
  const context = await browser.newContext({
    viewport: { width, height: 740 },
    storageState: stored(sessionItems('en', token, 6)),
  })
  const page = await context.newPage()
  await fakeUsers(page, count)
  await page.goto(theHouse().url + adminPaths.credit)
  await isThere(page, count - 1)
  return page
}

for (const width of [360, 1280])
  test(`among 10,000 users nothing that is searched, read on or typed holds the page up, ${width} px wide`, async ({
    browser,
  }) => {
    await expectNoHoldUps(browser, openAt(width), acts)
  })
