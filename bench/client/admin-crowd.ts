import { type Browser, type Page, test } from '@playwright/test'
import { newAdministrator } from '../../e2e/people.ts'
import { testedProduct } from '../../e2e/product/tested-product.ts'
import { sessionItems, stored } from '../../e2e/test.ts'
import { type Acts, expectNoHoldUps } from './hold-ups.ts'

/** By the address it leads to, and not by role and name: what a test does to ask would count as work of the page. */
const link = (address: string) => `main a[href*="${address}"]`
export const isThere = (page: Page, address: string) =>
  page.waitForFunction((selector) => document.querySelector(selector) !== null, link(address))
export const isGone = (page: Page, address: string) =>
  page.waitForFunction((selector) => document.querySelector(selector) === null, link(address))

/** Presses the button that reads on. */
export const readOn = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLElement>('main section > button')?.click())

/** Types a search, waits for what it finds, and empties the field again. */
export const search = (text: string, expected: string, first: string) => async (page: Page) => {
  const field = page.locator('main input[type=search]')
  await field.pressSequentially(text, { delay: 20 })
  await isThere(page, expected)
  await isGone(page, first)
  await field.fill('')
  await isThere(page, first)
}

interface AdminList {
  readonly path: string
  readonly fill: (page: Page) => Promise<void>
  /** The address that the first row leads to. */
  readonly first: string
}

/** Does all acts to a list of administrators, filled by a fake, on a phone and on a wide screen. */
export function testAdminList(title: string, { path, fill, first }: AdminList, acts: Acts): void {
  const openAt = (width: number) => async (browser: Browser) => {
    const { token } = await newAdministrator()
    const context = await browser.newContext({
      viewport: { width, height: 740 },
      storageState: stored(sessionItems('en', token, 6)),
    })
    const page = await context.newPage()
    await fill(page)
    await page.goto(testedProduct().url + path)
    await isThere(page, first)
    return page
  }
  for (const width of [360, 1280])
    test(`${title}, ${width} px wide`, ({ browser }) => expectNoHoldUps(browser, openAt(width), acts))
}
