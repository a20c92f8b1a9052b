import type { Browser, Page } from '@playwright/test'
import { newAdministrator } from '../../e2e/people.ts'
import { theHouse } from '../../e2e/product/house.ts'
import { sessionItems, stored } from '../../e2e/test.ts'

/** By the address it leads to, and not by role and name: what a test does to ask would count as work of the page. */
const link = (address: string) => `main a[href*="${address}"]`
export const isThere = (page: Page, address: string) =>
  page.waitForFunction((selector) => document.querySelector(selector) !== null, link(address))
export const isGone = (page: Page, address: string) =>
  page.waitForFunction((selector) => document.querySelector(selector) === null, link(address))

/** Presses the button that reads on. */
export const readOn = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLElement>('main section > button')?.click())

/** A list of administrators, filled by a fake. */
export const openAdminList =
  (width: number, path: string, fill: (page: Page) => Promise<void>) =>
  async (browser: Browser): Promise<Page> => {
    const { token } = await newAdministrator()
    const context = await browser.newContext({
      viewport: { width, height: 740 },
      storageState: stored(sessionItems('en', token, 6)),
    })
    const page = await context.newPage()
    await fill(page)
    await page.goto(theHouse().url + path)
    return page
  }
