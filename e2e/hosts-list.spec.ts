import { getServer, getServers, getTunnels } from '@kelid/contract'
import { adminPaths, serverPath } from '../apps/web/src/admin/paths.ts'
import { manyServers } from '../apps/web/test/hosts.ts'
import { examine, sidewaysScroll } from './examine.ts'
import { newServer, newTunnel } from './hosts.ts'
import { payload, watch } from './payload.ts'
import { asAdmin } from './people.ts'
import { button, field, heading, link, notice } from './see.ts'
import { expect, asAdministrator as test } from './test.ts'
import { answer, breakOff, letThrough } from './wire.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('servers and tunnels are listed and filtered', async ({ page, say, language }) => {
  const { serverName } = await newServer()
  const { tunnelName } = await newTunnel()
  for (const path of [adminPaths.vpn, adminPaths.servers, adminPaths.managedServers]) {
    await page.goto(path)
    await expect(heading(page, say('servers.title'))).toBeVisible()
  }
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(rows.first()).toBeVisible()
  await examine(page, 'admin-servers', language)
  await field(page, say('hosts.search')).fill(serverName)
  await expect(rows).toHaveCount(1)
  await expect(page.getByRole('link', { name: serverName })).toBeVisible()
  await field(page, say('hosts.state')).selectOption('ready')
  await expect(page.getByText(say('list.noneMatch'))).toBeVisible()
  await field(page, say('hosts.state')).selectOption('all')
  await expect(page.getByRole('link', { name: serverName })).toBeVisible()
  await field(page, say('hosts.health')).selectOption('down')
  await expect(page.getByText(say('list.noneMatch'))).toBeVisible()
  await page.reload()
  await expect(field(page, say('hosts.health'))).toHaveValue('down')
  await expect(field(page, say('hosts.search'))).toHaveValue(serverName)
  await expect(page.getByText(say('list.noneMatch'))).toBeVisible()
  await button(page, say('list.showAll')).click()
  await expect(field(page, say('hosts.search'))).toHaveValue('')
  const kinds = page.getByRole('navigation', { name: say('hosts.kinds') })
  await link(kinds, say('tunnels.title')).click()
  await expect(heading(page, say('tunnels.title'))).toBeVisible()
  await expect(rows.first()).toBeVisible()
  await examine(page, 'admin-tunnels', language)
  await field(page, say('hosts.search')).fill(tunnelName)
  await expect(rows).toHaveCount(1)
  await expect(page.getByRole('link', { name: tunnelName })).toBeVisible()
  await page.goto(adminPaths.managedTunnels)
  await expect(heading(page, say('tunnels.title'))).toBeVisible()
})

test('empty lists and failed reads are reported', async ({ page, say, language }) => {
  await answer(page, getServers, { items: [], nextCursor: null, total: 0 })
  await answer(page, getTunnels, { items: [], nextCursor: null, total: 0 })
  await page.goto(adminPaths.vpn)
  await expect(heading(page, say('client.noServers'))).toBeVisible()
  await examine(page, 'admin-servers-empty', language)
  await page.goto(adminPaths.tunnels)
  await expect(heading(page, say('client.noTunnels'))).toBeVisible()
  await letThrough(page, getServers)
  await breakOff(page, getServers)
  await page.goto(adminPaths.vpn)
  await expect(notice(page, say('client.fetchingServers')).first()).toBeVisible()
  await examine(page, 'admin-servers-failed', language)
})

test('hostile names of hosts stay text', async ({ page }) => {
  const { serverUUID } = await newServer()
  const server = await asAdmin()(getServer, { serverUUID })
  const poisoned = {
    ...server,
    serverName: payload,
    serverURL: payload,
    serverDescription: payload,
    serverProvider: payload,
    country: { ...server.country, countryName: payload },
  }
  const seen = watch(page)
  await answer(page, getServers, { items: [poisoned], nextCursor: null, total: 1 })
  await answer(page, getServer, poisoned)
  for (const path of [adminPaths.servers, serverPath(serverUUID)]) {
    await page.goto(path)
    await expect(page.getByText(/onerror/).first()).toBeVisible()
    expect(await page.evaluate(() => 'hit_' in window)).toBe(false)
    expect(await sidewaysScroll(page)).toBe(0)
  }
  expect(seen).toEqual([])
})

test('a long list of cards becomes a table in a wider window', async ({ page }) => {
  await page.setViewportSize({ width: 700, height: 800 })
  await answer(page, getServers, { items: manyServers(40), nextCursor: null, total: 40 })
  await page.goto(adminPaths.servers)
  await expect(page.getByRole('row')).toHaveCount(41)
  await page.setViewportSize({ width: 1280, height: 800 })
  const widths = () => page.locator('thead th').evaluateAll((cells) => cells.map((cell) => cell.clientWidth))
  await expect(page.locator('table')).toHaveAttribute('style', /--columns/)
  expect(new Set(await widths()).size).toBeGreaterThan(3)
})
