import { day, getAccount, getCountries, limits } from '@kelid/contract'
import { compensatePath, serverPath } from '../apps/web/src/admin/paths.ts'
import { formatNumber } from '../apps/web/src/lib/format.ts'
import { examine, sidewaysScroll } from './examine.ts'
import { readyServer } from './hosts.ts'
import { asAdmin, newReseller, tunnelledAccount } from './people.ts'
import { button, field, notice } from './see.ts'
import { expect, asAdministrator as test } from './test.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const projects = ['en-360', 'en-1280', 'fa-360', 'fa-1280']
const countriesOfOthers = [0, 276, 528]

/** A country of its own for each project and repetition, so that only this test's account is placed on its servers. */
async function ownCountry(): Promise<number> {
  const { project, repeatEachIndex } = test.info()
  const { items } = await asAdmin()(getCountries, {})
  const free = items.filter(({ countryId }) => !countriesOfOthers.includes(countryId))
  return free[projects.length * repeatEachIndex + projects.indexOf(project.name)]?.countryId ?? 0
}

test('accounts are moved, and days are given once', async ({ page, say, language }) => {
  const countryId = await ownCountry()
  const ownServer = (serverMaxAccounts: number) =>
    readyServer({ serverTunnelType: 'ssh', countryId, serverMaxAccounts })
  const from = await ownServer(1)
  const reseller = await newReseller()
  const account = await reseller.account({
    ...tunnelledAccount,
    accountTunnelType: 'ssh',
    countryId,
  })
  const to = await ownServer(5)
  const one = { count: 1, shown: formatNumber(1, language) }

  await page.goto(serverPath(from.serverUUID))
  await button(page, say('hosts.move.action')).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say('list.search'), { exact: true }).fill(to.serverName)
  // Wait for the search result: a key press on a row that is being replaced is lost.
  await expect(dialog.getByRole('radio')).toHaveCount(1)
  await dialog.getByRole('radio', { name: to.serverName }).press('Space')
  await expect(button(dialog, say('hosts.move.confirm', one))).toBeEnabled()
  await examine(page, 'admin-move', language)
  await button(dialog, say('hosts.move.confirm', one)).press('Enter')
  await expect(notice(page, say('hosts.move.done', one))).toBeVisible()
  await expect(button(page, say('hosts.move.action'))).toHaveCount(0)

  await page.goto(serverPath(to.serverUUID))
  await page.getByRole('link', { name: say('hosts.compensate') }).click()
  await expect(page).toHaveURL(compensatePath({ serverUUID: to.serverUUID }))
  await field(page, say('compensations.days')).fill('۲')
  await field(page, say('acts.reason')).fill('قطع برق مرکز داده')
  await expect(page.getByText(say('compensations.latest'))).toBeVisible()
  await examine(page, 'admin-compensate', language)

  const untilYear = page
    .getByRole('group', { name: say('compensations.downUntil') })
    .getByLabel(say('dates.year'))
  const setUntil = (year: string, moment: string) =>
    language === 'fa'
      ? untilYear.selectOption(year)
      : field(page, say('compensations.downUntil')).fill(moment)
  await setUntil('1409', '2030-12-31T08:00')
  await expect(page.getByText(say('rules.notFuture'))).toBeVisible()
  await expect(button(page, say('compensations.give'))).toBeDisabled()
  await examine(page, 'admin-compensate-future', language)
  await setUntil('', '')
  await expect(page.getByText(say('compensations.latest'))).toBeVisible()
  await button(page, say('compensations.give')).click()
  const days = { count: 2, days: formatNumber(2, language) }
  await expect(button(dialog, say('compensations.confirm', days))).toBeVisible()
  await examine(page, 'admin-compensate-confirm', language)
  await button(dialog, say('compensations.confirm', days)).dblclick()
  await expect(notice(page, say('compensations.begun', one))).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: to.serverName })
  await expect(row).toContainText(say('compensations.finished', one))
  await expect(row).toHaveCount(1)
  const { accountExpireDate } = await reseller.call(getAccount, { accountUUID: account.accountUUID })
  expect(Date.parse(accountExpireDate) - Date.parse(account.accountExpireDate)).toBe(2 * day)
})

test('the longest host name fits the form that gives days', async ({ page, say }) => {
  const serverName = 'W'.repeat(limits.textMax)
  const { serverUUID } = await readyServer({ serverName, serverMaxAccounts: 0 })
  await page.goto(compensatePath({ serverUUID }))
  await expect(page.getByText(serverName)).toBeVisible()
  await expect(field(page, say('compensations.days'))).toBeVisible()
  expect(await sidewaysScroll(page)).toBe(0)
})
