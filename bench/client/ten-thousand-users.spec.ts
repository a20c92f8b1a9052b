import { getUsers, type User } from '@kelid/contract'
import { expect, type Page } from '@playwright/test'
import { adminPaths } from '../../apps/web/src/admin/paths.ts'
import { aUser } from '../../apps/web/test/users.ts'
import { isGone, isThere, readOn, search, testAdminList } from './admin-crowd.ts'
import { fakeCrowd } from './crowd.ts'
import type { Acts } from './hold-ups.ts'

const count = 10_000
const pages = 10
const atOnce = 40

const user = (n: number): User =>
  aUser({
    userEmail: `reseller.${String(n).padStart(5, '0')}@kelid.test`,
    userCredit: n * 10,
    userCreditDollars: n / 10,
    userDebt: n % 3 === 0 ? n / 4 : 0,
    userDebtSince: n % 3 === 0 ? '2026-10-01T08:00:00.000Z' : null,
    userSuspended: n % 50 === 0,
    accounts: n % 200,
  })

const address = (n: number) => `reseller.${String(n).padStart(5, '0')}%`

const readAll = async (page: Page) => {
  for (let read = 1; read < pages; read += 1) {
    await readOn(page)
    await isThere(page, address(count - 1 - read * atOnce))
  }
}

const narrow = async (page: Page) => {
  const [filter, sort] = [page.locator('main select').nth(0), page.locator('main select').nth(1)]
  await filter.selectOption('customRate')
  await isGone(page, address(count - 1))
  await filter.selectOption('all')
  await isThere(page, address(count - 1))
  await sort.selectOption('userEmail')
  await isThere(page, address(0))
}

const adjust = async (page: Page) => {
  await page.locator('main td button').first().click()
  await page.locator('dialog input').nth(0).pressSequentially('1500', { delay: 20 })
  await page.locator('dialog input').nth(1).pressSequentially('paid', { delay: 20 })
  await page.keyboard.press('Escape')
  await expect(page.locator('dialog')).toHaveCount(0)
}

const find = search('reseller.077', address(7_799), address(count - 1))
const acts: Acts = { search: find, 'read on': readAll, 'search again': find, narrow, adjust }
const users = Array.from({ length: count }, (_, n) => user(n))
const fields = { searched: 'userEmail', narrowed: 'userSuspended', by: 'filter' }
const fill = (page: Page) => fakeCrowd(page, getUsers, users, fields)

testAdminList(
  'among 10,000 users nothing that is searched, read on or typed holds the page up',
  { path: adminPaths.credit, fill, first: address(count - 1) },
  acts,
)
