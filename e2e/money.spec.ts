import {
  adjustUserDebt,
  getSettings,
  getUserDetail,
  setSettings,
  setUserDebtLimit,
  type User,
} from '@kelid/contract'
import type { Locator, Page } from '@playwright/test'
import { adminPaths } from '../apps/web/src/admin/paths.ts'
import { formatDollars, formatNumber, formatSigned } from '../apps/web/src/lib/format.ts'
import { examine } from './examine.ts'
import { asAdmin, newReseller } from './people.ts'
import { button, field, inline, notice } from './see.ts'
import { expect, asAdministrator as test } from './test.ts'
import { answer, letThrough, refuse } from './wire.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const userOf = (userEmail: string): Promise<User> => asAdmin()(getUserDetail, { userEmail })
const dialogOf = (page: Page): Locator => page.getByRole('dialog')

/** Opens a table with only this user. */
async function find(page: Page, path: string, email: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('searchbox').fill(email)
  await expect(page.getByRole('row').filter({ has: page.getByRole('cell') })).toHaveCount(1)
  await expect(page.getByRole('link', { name: email })).toBeVisible()
}

test('debt is raised and lowered, and its limit is set', async ({ page, say, language }) => {
  const { email } = await newReseller()
  await find(page, adminPaths.debt, email)
  await button(page, say('amounts.actOf.dollars', { email })).click()
  const dialog = dialogOf(page)
  await field(page, say('amounts.amount.dollars')).fill('12.5')
  await field(page, say('acts.reason')).fill('lent by phone')
  await expect(dialog.getByText(formatDollars(12.5, language))).toBeVisible()
  await examine(page, 'admin-adjust', language)
  await button(dialog, say('amounts.give.dollars')).click()
  const done = { amount: formatSigned(12.5, 'dollars', language), email }
  await expect(notice(page, say('amounts.done.dollars', done))).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText(formatDollars(12.5, language))
  await expect(page.getByText(say('amounts.owed'), { exact: true })).toBeAttached()
  await field(page, say('list.filter')).selectOption('debt-month')
  await expect(page.getByText(say('client.noUsersFound'))).toBeVisible()
  await field(page, say('list.filter')).selectOption('debt-week')
  await expect(page.getByRole('link', { name: email })).toBeVisible()
  await expect(page).toHaveURL(/[?&]filter=debt-week(?:&|$)/)
  await find(page, adminPaths.debt, email)

  await button(page, say('amounts.actOf.dollars', { email })).click()
  await field(page, say('amounts.amount.dollars')).fill(language === 'fa' ? '−۱۲٫۵' : '-12.50')
  await field(page, say('acts.reason')).fill('paid')
  await button(dialog, say('amounts.take.dollars')).click()
  await expect(page.getByText(say('amounts.nothingOwed'), { exact: true })).toBeAttached()

  await button(page, say('amounts.actOf.limit', { email })).click()
  await field(page, say('amounts.limit.label')).fill('40')
  await button(dialog, say('acts.save')).click()
  await expect(notice(page, say('amounts.limit.done', { email }))).toBeVisible()
  expect(await userOf(email)).toMatchObject({ userDebt: 0, userDebtLimit: 40 })
})

test('points are given, and a custom rate is set and removed', async ({ page, say, language }) => {
  const { email } = await newReseller({ credit: 100, tunnelCredit: 0 })
  const settings = await asAdmin()(getSettings, {})
  await find(page, adminPaths.credit, email)
  await expect(page.getByText(say('prices.pointsPerDay', { type: say('vpnTypes.trojan') }))).toBeVisible()
  await examine(page, 'admin-credit', language)
  const dialog = dialogOf(page)
  await button(page, say('amounts.actOf.points', { email })).click()
  await field(page, say('amounts.amount.points')).fill('1,500')
  await field(page, say('acts.reason')).fill('paid in crypto')
  await expect(dialog.getByText(formatNumber(1_600, language))).toBeVisible()
  await button(dialog, say('amounts.give.points')).click()
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText(formatNumber(1_600, language))

  await button(page, say('amounts.actOf.rate', { email })).click()
  await field(page, say('amounts.rate.label')).fill('200')
  await button(dialog, say('acts.save')).click()
  const row = page.getByRole('row').filter({ hasText: email })
  await expect(row).toContainText(say('amounts.rate.own', { rate: formatNumber(200, language) }))
  await expect(row).toContainText(formatDollars(8, language))

  await button(page, say('amounts.actOf.rate', { email })).click()
  await field(page, say('amounts.rate.label')).fill('')
  await button(dialog, say('acts.save')).click()
  const usual = formatNumber(settings.defaultCreditRate, language)
  await expect(row).toContainText(say('amounts.rate.usual', { rate: usual }))
  expect((await userOf(email)).userCustomCreditRate).toBeNull()
})

test('a concurrent adjustment is shown beside the input', async ({ page, say, language }) => {
  const { email } = await newReseller()
  const dialog = dialogOf(page)
  await find(page, adminPaths.debt, email)
  await button(page, say('amounts.actOf.dollars', { email })).click()
  await field(page, say('amounts.amount.dollars')).fill('5')
  await field(page, say('acts.reason')).fill('mine')
  await asAdmin()(adjustUserDebt, { userEmail: email, amount: 30, reason: 'theirs' })
  await button(dialog, say('amounts.give.dollars')).click()
  await expect(inline(dialog, say('errors.CHANGED_MEANWHILE'))).toBeVisible()
  await expect(dialog.getByText(say('acts.saw'))).toBeVisible()
  await expect(dialog.getByText(formatDollars(30, language))).toBeVisible()
  await expect(dialog.getByText(formatDollars(35, language))).toBeVisible()
  await expect(field(page, say('amounts.amount.dollars'))).toHaveValue('5')
  await expect(field(page, say('acts.reason'))).toHaveValue('mine')
  await examine(page, 'admin-conflict', language)
  expect((await userOf(email)).userDebt).toBe(30)
  await button(dialog, say('amounts.give.dollars')).click()
  await expect(dialog).toHaveCount(0)
  expect((await userOf(email)).userDebt).toBe(35)

  await button(page, say('amounts.actOf.limit', { email })).click()
  await field(page, say('amounts.limit.label')).fill('10')
  await asAdmin()(setUserDebtLimit, { userEmail: email, value: 80 })
  await button(dialog, say('acts.save')).click()
  await expect(dialog.getByText(formatDollars(80, language))).toBeVisible()
  await expect(field(page, say('amounts.limit.label'))).toHaveValue('10')
  await page.keyboard.press('Escape')
  expect((await userOf(email)).userDebtLimit).toBe(80)
})

/** All tests share the prices, so this one checks the request and saves nothing. */
test('a concurrent change of prices is shown before saving', async ({ page, say, language }) => {
  const settings = await asAdmin()(getSettings, {})
  await page.goto(adminPaths.prices)
  await expect(field(page, say('prices.maxDevices'))).toBeVisible()
  await field(page, say('prices.maxDevices')).fill('7')
  await button(page, say('prices.review')).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByText(formatNumber(7, language), { exact: true })).toBeVisible()
  await examine(page, 'admin-prices-save', language)
  await refuse(page, setSettings, 'CHANGED_MEANWHILE')
  await answer(page, getSettings, { ...settings, maxDevices: 4 })
  await button(dialog, say('prices.save')).click()
  await expect(dialog.getByText(say('acts.saw'))).toBeVisible()
  await expect(dialog.getByText(formatNumber(4, language), { exact: true })).toBeVisible()
  await letThrough(page, setSettings)
  await answer(page, setSettings, { ...settings, maxDevices: 7 })
  const sent = page.waitForRequest(`**${setSettings.path}`)
  await button(dialog, say('prices.save')).click()
  expect((await sent).postDataJSON()).toMatchObject({ maxDevices: 7, basedOn: { maxDevices: 4 } })
  await expect(notice(page, say('prices.saved'))).toBeVisible()
  expect(await asAdmin()(getSettings, {})).toEqual(settings)
})
