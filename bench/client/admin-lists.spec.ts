import { type Call, getServers, getUsers } from '@kelid/contract'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { adminPaths, serverPath } from '../../apps/web/src/admin/paths.ts'
import { manyServers } from '../../apps/web/test/hosts.ts'
import { aUser } from '../../apps/web/test/users.ts'
import { newAdministrator } from '../../e2e/people.ts'
import { testedProduct } from '../../e2e/product/tested-product.ts'
import { type Fields, fakeCrowd } from './crowd.ts'
import { type Acts, expectNoHoldUps } from './hold-ups.ts'
import { signedInPage } from './people.ts'

const pageSize = 40

interface AdminList {
  readonly name: string
  readonly path: string
  readonly call: Call
  readonly rows: readonly object[]
  readonly fields: Fields
  /** The address in the link of the row at this position. */
  readonly at: (position: number) => string
  readonly pages: number
  readonly search: { readonly text: string; readonly finds: string }
  /** Excludes the first row. */
  readonly filter: string
  /** Reverses the list. */
  readonly sort: string
}

const hosts = manyServers(1_000).map((server, n) => ({
  ...server,
  serverState: n % 10 === 3 ? ('failed' as const) : ('ready' as const),
}))
const hostAt = (position: number) => serverPath(hosts[position]?.serverUUID ?? '')

const emailOf = (n: number) => `reseller.${String(n).padStart(5, '0')}@kelid.test`
const users = Array.from({ length: 10_000 }, (_, n) =>
  aUser({
    userEmail: emailOf(n),
    userCredit: n * 10,
    userCreditDollars: n / 10,
    userDebt: n % 3 === 0 ? n / 4 : 0,
    userDebtSince: n % 3 === 0 ? '2026-10-01T08:00:00.000Z' : null,
    userSuspended: n % 50 === 0,
    accounts: n % 200,
  }),
)
const addressOf = (n: number) => encodeURIComponent(emailOf(n))

const hostList: AdminList = {
  name: '1,000 hosts',
  path: adminPaths.managedServers,
  call: getServers,
  rows: hosts,
  fields: { searched: 'serverName', narrowed: 'serverState', by: 'state' },
  at: hostAt,
  pages: hosts.length / pageSize,
  search: { text: 'node-77', finds: hostAt(779) },
  filter: 'failed',
  sort: '-CreatedDate',
}
const userList: AdminList = {
  name: '10,000 users',
  path: adminPaths.credit,
  call: getUsers,
  rows: users,
  fields: { searched: 'userEmail', narrowed: 'userSuspended', by: 'filter' },
  at: (position) => addressOf(users.length - 1 - position),
  pages: 10,
  search: { text: 'reseller.077', finds: addressOf(7_799) },
  filter: 'customRate',
  sort: 'userEmail',
}

/** Queries by selector, because a query by role would count as work of the page. */
const hasLink = (page: Page, address: string, isExpected = true) =>
  page.waitForFunction(([selector, expected]) => (document.querySelector(selector) !== null) === expected, [
    `main a[href*="${address}"]`,
    isExpected,
  ] as const)

function actsOn({ at, rows, pages, search, filter, sort }: AdminList): Acts {
  const find = async (page: Page) => {
    const field = page.locator('main input[type=search]')
    await field.pressSequentially(search.text, { delay: 20 })
    await hasLink(page, search.finds)
    await hasLink(page, at(0), false)
    await field.fill('')
    await hasLink(page, at(0))
  }
  const readOn = async (page: Page) => {
    for (let read = 2; read <= pages; read += 1) {
      await page.evaluate(() => document.querySelector<HTMLElement>('main section > button')?.click())
      await hasLink(page, at(read * pageSize - 1))
    }
  }
  const narrow = async (page: Page) => {
    const selectWith = (value: string) =>
      page.locator('main select', { has: page.locator(`[value="${value}"]`) })
    const filters = selectWith(filter)
    await filters.selectOption(filter)
    await hasLink(page, at(0), false)
    await filters.selectOption('all')
    await hasLink(page, at(0))
    await selectWith(sort).selectOption(sort)
    await hasLink(page, at(rows.length - 1))
  }
  return { search: find, 'read on': readOn, 'search again': find, narrow }
}

const adjust = async (page: Page) => {
  await page.locator('main td button').first().click()
  await page.locator('dialog input').nth(0).pressSequentially('1500', { delay: 20 })
  await page.locator('dialog input').nth(1).pressSequentially('paid', { delay: 20 })
  await page.keyboard.press('Escape')
  await expect(page.locator('dialog')).toHaveCount(0)
}

const openList =
  ({ path, call, rows, fields, at }: AdminList, width: number) =>
  async (browser: Browser) => {
    const { token } = await newAdministrator()
    const page = await signedInPage(browser, token, { level: 6, width })
    await fakeCrowd(page, call, rows, fields)
    await page.goto(testedProduct().url + path)
    await hasLink(page, at(0))
    return page
  }

for (const [list, acts] of [
  [hostList, actsOn(hostList)],
  [userList, { ...actsOn(userList), adjust }],
] as const)
  for (const width of [360, 1280])
    test(`searching, reading on and filtering ${list.name} do not block a page ${width} px wide`, ({
      browser,
    }) => expectNoHoldUps(browser, openList(list, width), acts))
