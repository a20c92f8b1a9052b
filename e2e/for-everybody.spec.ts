import { getAnyAccount, getSettings, quoteAccount } from '@kelid/contract'
import { adminAccountPath, adminPaths } from '../apps/web/src/admin/paths.ts'
import { readyServer } from './hosts.ts'
import { asAdmin, newAdministrator, newReseller } from './people.ts'
import { openStockedProduct, type StockedProduct } from './product/stocked-product.ts'
import { shareProduct, type TestedProduct, testedProduct } from './product/tested-product.ts'
import { button, field, notice } from './see.ts'
import { setUp } from './set-up-factor.ts'
import { expect, sessionItems, stored, asAdministrator as test } from './test.ts'

/** These tests change what all users see, so they run on a separate product. */
let shared: TestedProduct
let own: StockedProduct | undefined
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  shared = testedProduct()
  own = await openStockedProduct()
  shareProduct({ ...shared, url: own.url, adminToken: own.adminToken })
})
test.afterAll(async () => {
  shareProduct(shared)
  await own?.stop()
})

const whatIsSold = {
  accountVPNType: 'hysteria2-direct',
  accountTunnelType: '',
  accountDuration: 10,
} as const

test('prices and rules are saved, and the next quote has them', async ({ page, say }) => {
  const reseller = await newReseller()
  await page.goto(adminPaths.prices)
  const type = say('vpnTypes.hysteria2-direct')
  await field(page, say('prices.pointsPerDay', { type })).fill('13')
  await field(page, say('prices.maxDevices')).fill('3')
  await button(page, say('prices.review')).click()
  await button(page.getByRole('dialog'), say('prices.save')).click()
  await expect(notice(page, say('prices.saved'))).toBeVisible()
  expect(await asAdmin()(getSettings, {})).toMatchObject({ maxDevices: 3 })
  expect(await reseller.call(quoteAccount, whatIsSold)).toMatchObject({ quotePoints: 130 })
})

test('an account is moved to another server', async ({ page, say }) => {
  const reseller = await newReseller()
  const { accountUUID, accountName: name } = await reseller.account()
  const { serverUUID, serverName } = await readyServer({
    serverType: 'hysteria',
    serverVPNType: 'hysteria2-direct',
    serverTunnelActive: false,
    serverTunnelType: '',
    serverMaxAccounts: 5,
  })
  await page.goto(adminAccountPath(accountUUID))
  await button(page, say('adminAccounts.move.action')).click()
  await field(page, say('adminAccounts.server')).selectOption(serverUUID)
  await button(page.getByRole('dialog'), say('adminAccounts.move.action')).click()
  await expect(notice(page, say('adminAccounts.move.done', { name }))).toBeVisible()
  expect(await asAdmin()(getAnyAccount, { accountUUID })).toMatchObject({ serverUUID, serverName })
})

test('a required second factor is set up first', async ({ page, browser, say, language, administrator }) => {
  const other = await newAdministrator()
  await page.goto(adminPaths.security)
  const { confirm } = await setUp(page, say, administrator)
  await confirm()
  await button(page, say('secondFactor.kept')).click()
  const required = page.getByRole('switch', { name: say('secondFactor.required') })
  await required.click()
  await expect(notice(page, say('secondFactor.saved'))).toBeVisible()

  const context = await browser.newContext({
    baseURL: testedProduct().url,
    storageState: stored(sessionItems(language, other.token, 6)),
  })
  const theirs = await context.newPage()
  await theirs.goto(adminPaths.prices)
  await expect(theirs).toHaveURL(adminPaths.security)
  await expect(theirs.getByText(say('secondFactor.isRequired'))).toBeVisible()
  await expect(other.call(getSettings, {})).rejects.toMatchObject({ type: 'SECOND_FACTOR_MISSING' })
  await context.close()

  await required.click()
  await expect
    .poll(async () => (await other.call(getSettings, {}).catch(() => null))?.secondFactor)
    .toBe('optional')
})
