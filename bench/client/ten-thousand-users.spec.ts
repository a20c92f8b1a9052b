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

const link = (page: Page, n: number) =>
  page.getByRole('link', { name: `reseller.${String(n).padStart(5, '0')}@kelid.test` })

const readOn = async (page: Page) => {
  for (let read = 1; read < pages; read += 1) {
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect(link(page, count - 1 - read * atOnce)).toBeAttached()
  }
}

const search = async (page: Page) => {
  const field = page.getByRole('searchbox')
  await field.pressSequentially('reseller.077', { delay: 20 })
  await expect(link(page, 7_799)).toBeAttached()
  await expect(link(page, count - 1)).toHaveCount(0)
  await field.fill('')
  await expect(link(page, count - 1)).toBeAttached()
}

const narrow = async (page: Page) => {
  const [filter, sort] = [page.getByRole('combobox').nth(0), page.getByRole('combobox').nth(1)]
  await filter.selectOption({ index: 1 })
  await expect(link(page, count - 1)).toHaveCount(0)
  await filter.selectOption({ index: 0 })
  await sort.selectOption('userEmail')
  await expect(link(page, 0)).toBeAttached()
}

const adjust = async (page: Page) => {
  await page
    .getByRole('button', { name: /^Adjust points of/ })
    .first()
    .click()
  await page.getByLabel('Points to give').pressSequentially('1500', { delay: 20 })
  await page.getByLabel('Reason').pressSequentially('paid', { delay: 20 })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
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
  await expect(link(page, count - 1)).toBeVisible()
  return page
}

for (const width of [360, 1280])
  test(`among 10,000 users nothing that is searched, read on or typed holds the page up, ${width} px wide`, async ({
    browser,
  }) => {
    await expectNoHoldUps(browser, openAt(width), acts)
  })
