import { day } from '@kelid/contract'
import type { Page } from '@playwright/test'
import { adminPaths, changeTunnelPath } from '../apps/web/src/admin/paths.ts'
import { formatDate, formatDollars, formatNumber } from '../apps/web/src/lib/format.ts'
import { paths } from '../apps/web/src/lib/paths.ts'
import { fillHost, logBox } from './hosts.ts'
import { ansibleLog, specCountry, specServer, specUser, startSpecServer } from './product/spec-server.ts'
import { testedProduct } from './product/tested-product.ts'
import { accountRows, button, field, heading, notice } from './see.ts'
import { test as base, expect } from './test.ts'

/** The built client with a server that answers with exactly the fields of spec.md. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
  baseURL: async ({}, use) => {
    const server = await startSpecServer(testedProduct().url)
    await use(server.url)
    await server.stop()
  },
  page: async ({ page, say }, use) => {
    await page.goto(paths.signIn)
    await field(page, say('auth.email')).fill(specUser.userEmail)
    await field(page, say('auth.password')).fill('Secret-123')
    await button(page, say('auth.signIn')).click()
    await page.waitForURL(paths.dashboard)
    await use(page)
  },
})

const errors = (page: Page) => page.locator('[data-severity=error], main [role=alert]')

test('credit and debt are shown on an empty dashboard', async ({ page, say, language }) => {
  await expect(heading(page, say('overview.title'))).toBeVisible()
  const balances = page.getByRole('region', { name: say('credit.title') })
  await expect(balances).toContainText(formatDollars(12.5, language))
  await expect(balances).toContainText(
    say('credit.points', { count: 1_250, shown: formatNumber(1_250, language) }),
  )
  await expect(balances).toContainText(formatNumber(40, language))
  await expect(balances).toContainText(formatDollars(3.75, language))
  await expect(page.getByText(say('overview.noAccounts'))).toBeVisible()
  await expect(heading(page, say('overview.latest'))).toBeHidden()
  await expect(errors(page)).toHaveCount(0)

  await page.goto(paths.settings)
  await expect(page.getByText(specUser.userEmail)).toBeVisible()
  await expect(heading(page, say('settings.sessions'))).toBeHidden()
  await expect(errors(page)).toHaveCount(0)
})

test('an account is created, switched, renewed and deleted', async ({ page, say, language }) => {
  await page.goto(paths.accounts)
  await expect(heading(page, say('client.noAccounts'))).toBeVisible()
  await expect(errors(page)).toHaveCount(0)

  await page.goto(paths.newAccount)
  await field(page, say('accounts.name')).fill('ali_phone')
  await field(page, say('accounts.vpnType')).selectOption('hysteria2-direct')
  await field(page, say('accounts.country')).selectOption(specCountry.countryName)
  await field(page, say('accounts.duration')).fill('14')
  await button(page, say('accounts.create')).click()
  await expect(notice(page, say('accounts.created', { name: 'ali_phone' }))).toBeVisible()
  await page.waitForURL(paths.accounts)
  const row = accountRows(page)
  await expect(row).toHaveCount(1)
  await expect(row).toContainText(say('accounts.enabled'))
  await expect(row).toContainText(specCountry.countryName)
  await expect(row).toContainText(say('accounts.daysLeft', { count: 14, shown: formatNumber(14, language) }))

  await page.getByRole('link', { name: 'ali_phone' }).click()
  await expect(heading(page, 'ali_phone')).toBeVisible()
  await expect(page.getByRole('img', { name: say('accounts.qr.alt', { name: 'ali_phone' }) })).toBeVisible()
  await expect(field(page, say('accounts.link.config'))).toHaveValue(/^hysteria2:/)
  await expect(field(page, say('accounts.link.subscription'))).toBeHidden()
  await expect(heading(page, say('accounts.usage.title'))).toBeHidden()
  const isOn = page.getByRole('switch', { name: say('accounts.statusSwitch') })
  await isOn.uncheck()
  await expect(notice(page, say('accounts.nowDisabled', { name: 'ali_phone' }))).toBeVisible()
  await expect(page.getByText(say('accounts.disabled'), { exact: true })).toBeVisible()
  await isOn.check()
  await expect(notice(page, say('accounts.nowEnabled', { name: 'ali_phone' }))).toBeVisible()
  await expect(errors(page)).toHaveCount(0)

  await button(page, say('accounts.renew.action')).click()
  await field(page, say('accounts.renew.days')).fill('60')
  await button(page.getByRole('dialog'), say('accounts.renew.confirm')).click()
  const expires = formatDate(new Date(Date.now() + 60 * day).toISOString(), language)
  await expect(notice(page, say('accounts.renew.done', { name: 'ali_phone', date: expires }))).toBeVisible()
  await expect(
    page.getByText(say('accounts.daysLeft', { count: 60, shown: formatNumber(60, language) })),
  ).toBeVisible()

  await button(page, say('accounts.delete.action')).click()
  await button(page.getByRole('dialog'), say('accounts.delete.confirm')).click()
  await page.waitForURL(paths.accounts)
  await expect(heading(page, say('client.noAccounts'))).toBeVisible()
})

test('servers are listed, opened, changed and added, and their log is read', async ({ page, say }) => {
  await page.goto(adminPaths.vpn)
  const row = page.getByRole('row').filter({ hasText: specServer.serverURL })
  await expect(row).toContainText(specServer.serverType)
  await page.getByRole('link', { name: specServer.serverURL }).click()
  await expect(heading(page, specServer.serverURL)).toBeVisible()
  await expect(errors(page)).toHaveCount(0)
  await page.getByRole('link', { name: say('servers.change'), exact: true }).click()
  await field(page, say('hosts.ipv4')).fill('192.0.2.9')
  await field(page, say('hosts.country')).selectOption(specCountry.countryName)
  await button(page, say('hosts.change')).click()
  await expect(notice(page, say('servers.changed', { name: specServer.serverURL }))).toBeVisible()
  await button(page, say('hosts.log.get')).click()
  await expect(logBox(page)).toContainText(ansibleLog)

  await page.goto(adminPaths.addServer)
  await fillHost(page, say, { name: 'fra9', ipv4: '192.0.2.30', url: 'fra9.example.com' })
  await field(page, say('servers.type')).selectOption('xray')
  await field(page, say('servers.tunnelType')).selectOption('wstunnel')
  await field(page, say('servers.version')).fill('1.8.4')
  await field(page, say('servers.vpnVersion')).fill('2.0')
  await expect(errors(page)).toHaveCount(0)
  await button(page, say('hosts.create')).click()
  await expect(notice(page, say('servers.added', { name: 'fra9' }))).toBeVisible()
  await button(page, say('hosts.log.get')).click()
  await expect(logBox(page)).toContainText(ansibleLog)
})

test('a tunnel is added and changed, and its log is read', async ({ page, say }) => {
  await page.goto(adminPaths.addTunnel)
  await fillHost(page, say, { name: 'thr1', ipv4: '192.0.2.40', url: 'thr1.example.com' })
  await field(page, say('tunnels.type')).selectOption('ssh')
  await field(page, say('tunnels.version')).fill('1.0')
  await expect(errors(page)).toHaveCount(0)
  await button(page, say('hosts.create')).click()
  await expect(notice(page, say('tunnels.added', { name: 'thr1' }))).toBeVisible()
  await button(page, say('hosts.log.get')).click()
  await expect(logBox(page)).toContainText(ansibleLog)

  await page.goto(changeTunnelPath('33333333-3333-4333-8333-333333333333'))
  await field(page, say('hosts.ipv4')).fill('192.0.2.41')
  await expect(errors(page)).toHaveCount(0)
  await button(page, say('hosts.change')).click()
  await button(page, say('hosts.log.get')).click()
  await expect(logBox(page)).toContainText(ansibleLog)
})
