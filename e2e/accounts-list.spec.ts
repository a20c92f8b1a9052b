import { day, deleteAccount, getUserAccounts, type Language } from '@kelid/contract'
import type { Page } from '@playwright/test'
import { formatDate, formatDollars, formatMoment, formatNumber } from '../apps/web/src/lib/format.ts'
import { paths } from '../apps/web/src/lib/paths.ts'
import { accountRows, alertOf, button, field, heading, link, notice, sizeOf } from './see.ts'
import { expect, asReseller as test } from './test.ts'
import { letThrough, refuse } from './wire.ts'

const many = (count: number, language: Language) => ({ count, shown: formatNumber(count, language) })
const names = (page: Page) => accountRows(page).getByRole('link').allInnerTexts()

test('an empty list says so and links to the first account', async ({ page, say }) => {
  await page.goto(paths.accounts)
  await expect(heading(page, say('client.noAccounts'))).toBeVisible()
  await link(page, say('accounts.create')).last().click()
  await expect(page).toHaveURL(paths.newAccount)
})

test('search, filter and order survive a reload', async ({ page, say, language, reseller }) => {
  for (const [index, accountName] of ['ali_1', 'ali_2', 'sara'].entries())
    await reseller.account({ accountName, accountDuration: 10 + index })
  await page.goto(paths.accounts)
  const count = (total: number) =>
    page.getByText(say('accounts.count', many(total, language)), { exact: true })
  await expect(count(3)).toBeVisible()
  await expect.poll(() => names(page)).toEqual(['sara', 'ali_2', 'ali_1'])
  await field(page, say('accounts.sort')).selectOption('accountName')
  await expect.poll(() => names(page)).toEqual(['ali_1', 'ali_2', 'sara'])
  await field(page, say('accounts.search')).fill('ali')
  await expect(count(2)).toBeVisible()
  await expect.poll(() => names(page)).toEqual(['ali_1', 'ali_2'])
  await page.reload()
  await expect.poll(() => names(page)).toEqual(['ali_1', 'ali_2'])
  await expect(field(page, say('accounts.search'))).toHaveValue('ali')

  await field(page, say('accounts.filter')).selectOption('disabled')
  await expect(page.getByText(say('accounts.noneMatch'))).toBeVisible()
  await button(page, say('accounts.clearFilter')).click()
  await expect(count(3)).toBeVisible()
})

test('the list is a table or cards, and an expiry shows its exact time', async ({ page, say, reseller }) => {
  const { accountExpireDate } = await reseller.account()
  await page.goto(paths.accounts)
  const row = accountRows(page).first()
  const lines = async () => {
    const tops = await row
      .getByRole('cell')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect()))
    return new Set(tops.map(({ y, height }) => Math.round((y + height / 2) / 8))).size
  }
  const isDesktop = (page.viewportSize()?.width ?? 0) >= 1040
  await expect(row).toBeVisible()
  expect(await lines()).toBe(isDesktop ? 1 : 4)
  const heads = page.getByRole('columnheader')
  await expect(heads).toHaveText(
    (
      [
        'accounts.name',
        'accounts.filter',
        'accounts.country',
        'accounts.vpnType',
        'accounts.expiry',
        'accounts.usage.title',
      ] as const
    ).map((key) => say(key)),
  )
  const when = row.getByRole('button')
  const words = await when.innerText()
  const exact = (await when.getAttribute('title')) ?? ''
  expect(await when.locator('time').getAttribute('datetime')).toBe(accountExpireDate)
  await when.click()
  await expect(when).toHaveText(exact)
  await page.keyboard.press('Enter')
  await expect(when).toHaveText(words)
})

test('the name and the country of an account are not cut off at any width', async ({ page, reseller }) => {
  await reseller.account({ accountName: 'maryam_family_56' })
  await page.goto(paths.accounts)
  const row = accountRows(page).first()
  for (const width of [360, 899, 900, 1039, 1040, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const text of [row.getByRole('link'), row.getByRole('cell').nth(2).locator('bdi')])
      await expect
        .poll(() => text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), `at ${width}`)
        .toBeLessThanOrEqual(0)
  }
})

test('buttons are at least 40 px high, with text of 14 px', async ({ page, say, reseller }) => {
  await reseller.account()
  await page.goto(paths.accounts)
  await accountRows(page).getByRole('checkbox').check()
  const bar = page.getByRole('region', { name: say('accounts.bulk.label') })
  await refuse(page, getUserAccounts, 'INTERNAL', { requestId: 'x' })
  await field(page, say('accounts.filter')).selectOption('active')
  const close = button(page.getByRole('alert'), say('ui.close'))
  await expect(close).toBeVisible()
  for (const pressed of [close, ...(await bar.getByRole('button').all())]) {
    const { height, text } = await sizeOf(pressed)
    // Rounded, because positions between two pixels lose a fraction.
    expect.soft(Math.round(height)).toBeGreaterThanOrEqual(40)
    expect.soft(text).toBeGreaterThanOrEqual(14)
  }
})

test('many accounts are changed after one confirmation', async ({ page, say, language, reseller }) => {
  for (const accountName of ['one', 'two']) await reseller.account({ accountName })
  await page.goto(paths.accounts)
  const bar = page.getByRole('region', { name: say('accounts.bulk.label') })
  const dialog = page.getByRole('dialog')
  const done = notice(page, say('accounts.bulk.done', many(2, language)))
  const tickAll = () =>
    page.getByRole('checkbox', { name: say('accounts.selectShown', many(2, language)) }).check()
  const states = async () =>
    (await reseller.call(getUserAccounts, {})).items.map(({ accountEnabled, accountDuration }) => [
      accountEnabled,
      accountDuration,
    ])

  await tickAll()
  await button(bar, say('accounts.bulk.renew')).click()
  await expect(heading(dialog, say('accounts.bulk.renewTitle', many(2, language)))).toBeVisible()
  await expect(dialog).toContainText(formatDollars(6, language))
  await button(dialog, say('accounts.bulk.renew')).click()
  await expect(done).toBeVisible()
  await expect(bar).toHaveCount(0)
  expect(await states()).toEqual([
    [true, 60],
    [true, 60],
  ])
  for (const action of ['disable', 'enable'] as const) {
    await tickAll()
    await button(bar, say(`accounts.bulk.${action}`)).click()
    await expect(dialog).toContainText(say(`accounts.bulk.${action}Text`))
    await button(dialog, say(`accounts.bulk.${action}`)).click()
    await expect(dialog).toHaveCount(0)
    await expect(bar).toHaveCount(0)
    expect((await states()).map(([isEnabled]) => isEnabled)).toEqual(Array(2).fill(action === 'enable'))
  }
  await tickAll()
  await button(bar, say('accounts.bulk.delete')).click()
  await button(dialog, say('accounts.bulk.delete')).click()
  await expect(heading(page, say('client.noAccounts'))).toBeVisible()
  expect(await states()).toEqual([])
})

test('a bulk renewal names an account that has been deleted', async ({ page, say, language, reseller }) => {
  await reseller.account({ accountName: 'one' })
  const { accountUUID, accountExpireDate } = await reseller.account({ accountName: 'two' })
  const dialog = page.getByRole('dialog')
  await page.goto(paths.accounts)
  await page.getByRole('checkbox', { name: say('accounts.selectShown', many(2, language)) }).check()
  await button(page, say('accounts.bulk.renew')).click()
  const until = new Date(Date.parse(accountExpireDate) + 30 * day).toISOString()
  await expect(dialog.getByRole('listitem')).toContainText([
    formatDate(until, language),
    formatDate(until, language),
  ])
  await dialog.getByRole('listitem').getByRole('button').first().press('Enter')
  await expect(dialog.getByRole('listitem')).toContainText([formatMoment(until, language)])

  await reseller.call(deleteAccount, { accountUUID })
  await button(dialog, say('accounts.bulk.renew')).click()
  await expect(alertOf(dialog)).toContainText(say('errors.QUOTE_CHANGED'))
  await expect(dialog).toContainText(say('accounts.bulk.leftOut', many(1, language)))
  await expect(dialog).toContainText(say('accounts.quote.refused.RESOURCE_NOT_FOUND'))
  await button(dialog, say('accounts.bulk.renew')).click()
  await expect(alertOf(dialog)).toContainText(say('accounts.bulk.done', many(1, language)))
  await expect(alertOf(dialog)).toContainText(say('accounts.bulk.failed', many(1, language)))
})

test('a failed read of the list is reported and can be retried', async ({ page, say, reseller }) => {
  await reseller.account()
  await refuse(page, getUserAccounts, 'UNAVAILABLE')
  await page.goto(paths.accounts)
  await expect(page.getByRole('main').getByText(say('client.fetchingAccounts'))).toBeVisible()
  await expect(notice(page, say('errors.UNAVAILABLE'))).toBeVisible()
  await letThrough(page, getUserAccounts)
  await button(page, say('ui.tryAgain')).click()
  await expect(page.getByRole('link', { name: 'ali_phone' })).toBeVisible()
})
