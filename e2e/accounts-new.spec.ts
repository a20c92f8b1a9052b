import { day, getUserAccounts, getUserCredit } from '@kelid/contract'
import { formatDate, formatDollars, formatNumber } from '../apps/web/src/lib/format.ts'
import { paths } from '../apps/web/src/lib/paths.ts'
import { beside, button, field, heading, notice } from './see.ts'
import { expect, asReseller as test } from './test.ts'

test('the quote comes first, and a double click buys once', async ({ page, say, language, reseller }) => {
  const begun = Date.now()
  await page.goto(paths.newAccount)
  const create = button(page, say('accounts.create'))
  const tunnel = field(page, say('accounts.tunnelType'))
  await expect(tunnel).toBeDisabled()
  await field(page, say('accounts.name')).fill('reza_laptop')
  await field(page, say('accounts.vpnType')).selectOption('trojan')
  await expect(create).toBeDisabled()
  await tunnel.selectOption('ssh')
  await field(page, say('accounts.duration')).fill('۱۴')

  const quote = page.getByRole('region', { name: say('accounts.quote.title') })
  const points = (count: number) =>
    say('accounts.quote.points', { count, shown: formatNumber(count, language) })
  await expect(quote).toContainText(formatDollars(1.4, language))
  await expect(quote).toContainText(points(140))
  await expect(quote).toContainText(points(9_860))
  const lastDay = (from: number) => formatDate(new Date(from + 14 * day).toISOString(), language)
  await expect(quote).toContainText(new RegExp(`${lastDay(begun)}|${lastDay(Date.now())}`))

  await create.dblclick()
  await expect(notice(page, say('accounts.created', { name: 'reza_laptop' }))).toBeVisible()
  await page.waitForURL(paths.accounts)
  await expect(page.getByRole('link', { name: 'reza_laptop' })).toBeVisible()
  const { items } = await reseller.call(getUserAccounts, {})
  expect(items).toMatchObject([{ accountName: 'reza_laptop', accountTunnelType: 'ssh', accountDuration: 14 }])
  expect(await reseller.call(getUserCredit, {})).toMatchObject({ userCredit: 9_860, userTunnelCredit: 486 })
})

test('the VPN type decides on the tunnel, and invalid input is refused', async ({ page, say }) => {
  await page.goto(paths.newAccount)
  const type = field(page, say('accounts.vpnType'))
  const tunnel = field(page, say('accounts.tunnelType'))
  await field(page, say('accounts.name')).fill('ali')
  await type.selectOption('trojan')
  await tunnel.selectOption('wstunnel')
  await type.selectOption('hysteria2-direct')
  await expect(tunnel).toBeDisabled()
  await expect(tunnel).toHaveValue('')
  await expect(await beside(tunnel)).toHaveText(say('accounts.noTunnelNeeded'))
  await type.selectOption('trojan')
  await tunnel.selectOption('wstunnel')

  const days = field(page, say('accounts.duration'))
  await days.fill('365')
  await days.blur()
  await expect(await beside(days)).toHaveText(say('rules.days'))
  await days.fill('364')
  await field(page, say('accounts.name')).fill('not a name')
  await field(page, say('accounts.name')).press('Enter')
  await expect(notice(page, say('client.incompleteInformation'))).toBeVisible()
  await expect(await beside(field(page, say('accounts.name')))).toHaveText(say('rules.accountName'))
  await expect(heading(page, say('accounts.create'))).toBeVisible()
})
