import {
  getAccount,
  getAnyAccount,
  getServers,
  getUser,
  getUserDetail,
  getUserSessions,
  moveAccount,
  setEnabled,
  setUserLevel,
  signIn,
} from '@kelid/contract'
import type { Locator, Page } from '@playwright/test'
import { adminAccountPath, adminPaths, personPath } from '../apps/web/src/admin/paths.ts'
import { formatDate, formatNumber } from '../apps/web/src/lib/format.ts'
import { callAt } from './call.ts'
import { examine } from './examine.ts'
import { asAdmin, newReseller, type Reseller, randomAddress, tunnelledAccount } from './people.ts'
import { testedProduct } from './product/tested-product.ts'
import { button, field, heading, notice } from './see.ts'
import { expect, asAdministrator as test } from './test.ts'
import { answer, rewrite } from './wire.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const dialogOf = (page: Page): Locator => page.getByRole('dialog')
const credentialsOf = ({ email, password }: Reseller) => ({ email, password })
const visitor = () => callAt(testedProduct().url, { 'x-forwarded-for': randomAddress() })

test("a user's page shows accounts and statement", async ({ page, say }) => {
  const person = await newReseller()
  await person.account()
  await person.account(tunnelledAccount)
  await page.goto(adminPaths.people)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.getByRole('searchbox').fill(person.email)
  // A click on a row that is moving is lost.
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('link', { name: person.email }).click()
  await expect(page).toHaveURL(personPath(person.email))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(person.email)
  await expect(page.getByRole('link', { name: 'ali_phone' })).toBeVisible()
  await expect(page.getByRole('table', { name: say('person.statement.title') })).toContainText(
    'paid in crypto',
  )
  for (const path of [personPath(person.email), `${adminPaths.people}${person.email}/`]) {
    await page.goto(path.slice(0, -1))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(person.email)
  }
  // The button moves when the accounts above it arrive.
  await expect(page.getByRole('link', { name: 'ali_phone' })).toBeVisible()
  const file = page.waitForEvent('download')
  await button(page, say('person.statement.download')).click()
  expect((await file).suggestedFilename()).toMatch(/\.csv$/)

  await page.getByRole('searchbox').fill('sara')
  await expect(page.getByRole('link', { name: 'ali_phone' })).toHaveCount(0)
  await page.getByRole('link', { name: 'sara_home' }).click()
  await expect(heading(page, 'sara_home')).toBeVisible()
  await expect(page.getByRole('link', { name: person.email })).toBeVisible()
})

test('a user is suspended with their accounts and readmitted', async ({ page, say, language }) => {
  const person = await newReseller()
  const { accountUUID } = await person.account()
  await page.goto(personPath(person.email))
  await button(page, say('person.suspension.suspend')).click()
  const dialog = dialogOf(page)
  const count = { count: 1, shown: formatNumber(1, language) }
  await dialog.getByRole('switch', { name: say('person.suspension.closeToo', count) }).click()
  await field(page, say('acts.reason')).fill('unpaid')
  await examine(page, 'admin-suspend', language)
  await button(dialog, say('person.suspension.suspend')).click()
  await expect(notice(page, say('person.suspension.suspendDone', { email: person.email }))).toBeVisible()
  await expect(page.getByText('unpaid').first()).toBeVisible()
  await expect(visitor()(signIn, credentialsOf(person))).rejects.toMatchObject({ type: 'ACCOUNT_SUSPENDED' })
  await expect(person.call(getUser, {})).rejects.toMatchObject({ type: 'UNAUTHENTICATED' })
  expect(await asAdmin()(getAnyAccount, { accountUUID })).toMatchObject({
    accountState: 'disabled',
    accountClosedBySuspension: true,
  })
  await expect(page.getByText(say('adminAccounts.closedWithOwner'))).toBeVisible()

  await button(page, say('person.suspension.lift')).click()
  await field(page, say('acts.reason')).fill('paid')
  await button(dialog, say('person.suspension.lift')).click()
  await expect(dialog).toHaveCount(0)
  const { call } = await person.again()
  expect(await call(getAccount, { accountUUID })).toMatchObject({ accountState: 'active' })
})

test('a concurrent change of a level is shown before saving', async ({ page, say }) => {
  const person = await newReseller()
  await page.goto(personPath(person.email))
  await button(page, say('person.level.action')).click()
  const dialog = dialogOf(page)
  await field(page, say('people.level')).selectOption('6')
  await expect(dialog.getByText(say('person.level.promotion'))).toBeVisible()
  await asAdmin()(setUserLevel, { userEmail: person.email, value: 3 })
  await button(dialog, say('acts.save')).click()
  await expect(dialog.getByText(say('acts.saw'))).toBeVisible()
  await expect(field(page, say('people.level'))).toHaveValue('6')
  await button(dialog, say('acts.save')).click()
  await expect(dialog).toHaveCount(0)
  expect((await asAdmin()(getUserDetail, { userEmail: person.email })).userLevel).toBe(6)
})

test("an administrator's own demotion ends the session", async ({ page, say, administrator }) => {
  await page.goto(personPath(administrator.email))
  await button(page, say('person.level.action')).click()
  await field(page, say('people.level')).selectOption('1')
  await expect(dialogOf(page).getByText(say('person.level.ownDemotion'))).toBeVisible()
  await button(dialogOf(page), say('acts.save')).click()
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(administrator.call(getUser, {})).rejects.toMatchObject({ type: 'UNAUTHENTICATED' })
})

test('one session is ended, then all of them', async ({ page, say }) => {
  const person = await newReseller()
  await person.again()
  await person.again()
  const sessions = async () => (await asAdmin()(getUserSessions, { userEmail: person.email })).items
  const before = (await sessions()).length
  await page.goto(personPath(person.email))
  const [one] = await sessions()
  const endOne = say('person.sessions.endOf', { address: one?.sessionAddress })
  await page.getByRole('button', { name: endOne, exact: true }).first().click()
  await button(dialogOf(page), say('person.sessions.end')).click()
  await expect(dialogOf(page)).toHaveCount(0)
  expect(await sessions()).toHaveLength(before - 1)
  await button(page, say('person.sessions.endAll')).click()
  await button(dialogOf(page), say('person.sessions.endAll')).click()
  await expect(page.getByText(say('person.sessions.none'))).toBeVisible()
  expect(await sessions()).toEqual([])
})

test('an account gets days, is disabled, moved and deleted', async ({ page, say, language }) => {
  const person = await newReseller()
  const account = await person.account()
  const { accountUUID, accountName: name } = account
  const dialog = dialogOf(page)
  const now = () => asAdmin()(getAnyAccount, { accountUUID })
  await page.goto(adminAccountPath(accountUUID))
  await button(page, say('adminAccounts.gift.action')).click()
  await field(page, say('adminAccounts.gift.days')).fill('10')
  await field(page, say('acts.reason')).fill('outage')
  const later = new Date(Date.parse(account.accountExpireDate) + 10 * 86_400_000).toISOString()
  await expect(dialog.getByText(formatDate(later, language))).toBeVisible()
  await examine(page, 'admin-gift', language)
  await button(dialog, say('adminAccounts.gift.confirm')).dblclick()
  const done = { name, date: formatDate(later, language) }
  await expect(notice(page, say('adminAccounts.gift.done', done))).toBeVisible()
  expect((await now()).accountExpireDate).toBe(later)

  await button(page, say('adminAccounts.disable.action')).click()
  await button(dialog, say('adminAccounts.disable.action')).click()
  await expect(dialog).toHaveCount(0)
  expect((await now()).accountEnabled).toBe(false)
  await person.call(setEnabled, { accountUUID, accountEnabled: true })
  await page.reload()
  const where = await now()
  const elsewhere = '55555555-5555-4555-8555-555555555555'

  // There is one server of each kind, so the reply gets a second one.
  await rewrite(page, getServers, ({ items, ...page }) => {
    const twin = items.find(({ serverUUID }) => serverUUID === where.serverUUID)
    return { ...page, items: [...items, { ...twin, serverUUID: elsewhere, serverName: 'fra-2' }] }
  })
  await answer(page, moveAccount, where)
  await button(page, say('adminAccounts.move.action')).click()
  await field(page, say('adminAccounts.server')).selectOption(elsewhere)
  await expect(dialog.getByText('fra-2', { exact: true })).toBeVisible()
  await examine(page, 'admin-move', language)
  const moved = page.waitForRequest(`**${moveAccount.path}`)
  await button(dialog, say('adminAccounts.move.action')).click()
  expect((await moved).postDataJSON()).toMatchObject({
    accountUUID,
    toServerUUID: elsewhere,
    basedOn: { serverUUID: where.serverUUID, tunnelUUID: where.tunnelUUID },
  })
  await expect(notice(page, say('adminAccounts.move.done', { name }))).toBeVisible()

  await button(page, say('adminAccounts.delete.action')).click()
  await field(page, say('acts.reason')).fill('fraud')
  await button(dialog, say('adminAccounts.delete.action')).click()
  await expect(page).toHaveURL(personPath(person.email))
  await expect(person.call(getAccount, { accountUUID })).rejects.toMatchObject({ type: 'RESOURCE_NOT_FOUND' })
  await page.goto(adminAccountPath(accountUUID))
  await expect(page.getByText(say('adminAccounts.gone'))).toBeVisible()
})
