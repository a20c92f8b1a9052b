import {
  acceptHostKey,
  changeServer,
  day,
  editHost,
  getHostKey,
  getHostRuns,
  getServer,
  timings,
} from '@kelid/contract'
import {
  adminPaths,
  changeServerPath,
  changeTunnelPath,
  serverPath,
  tunnelPath,
} from '../apps/web/src/admin/paths.ts'
import { formatNumber } from '../apps/web/src/lib/format.ts'
import { examine } from './examine.ts'
import { bodySent, logBox, newAddress, newServer, newTunnel } from './hosts.ts'
import { asAdmin } from './people.ts'
import { button, field, heading, inline, notice, pauseClock } from './see.ts'
import { expect, asAdministrator as test } from './test.ts'
import { answer, letThrough } from './wire.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('a server is paused, edited, provisioned and removed by keyboard', async ({ page, say, language }) => {
  const { serverUUID, serverName } = await newServer()
  await page.goto(serverPath(serverUUID))
  await expect(heading(page, serverName)).toBeVisible()
  await expect(logBox(page)).toContainText('KELID_AGENT_URL is not set')
  const runs = page.getByRole('table', { name: say('runs.title') })
  await expect(runs).toContainText(say('runs.states.failed'))
  await examine(page, 'admin-server', language)

  await button(page, say('hosts.pause.action')).press('Enter')
  await expect(button(page, say('hosts.pause.resume'))).toBeVisible()
  await expect(page.getByText(say('hosts.paused'), { exact: true })).toBeVisible()

  await button(page, say('hosts.edit.action')).press('Enter')
  const most = page.getByRole('dialog').getByLabel(say('hosts.maxAccounts'), { exact: true })
  await most.fill('7')
  const others = {
    serverProvider: 'Hetzner',
    serverLocation: 'Falkenstein',
    serverExpireDate: '2030-03-04',
  }
  await asAdmin()(editHost, { hostUUID: serverUUID, serverMaxAccounts: 9, ...others })
  await most.press('Enter')
  await expect(page.getByText(say('hosts.now', { value: '9' }))).toBeVisible()
  await expect(most).toHaveValue('7')
  // The message and the button are visible, however long the dialog is.
  await expect(inline(page, say('errors.CHANGED_MEANWHILE'))).toBeInViewport({ ratio: 1 })
  await expect(button(page.getByRole('dialog'), say('acts.save'))).toBeInViewport({ ratio: 1 })
  await examine(page, 'admin-server-edit-conflict', language)
  await most.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const load = { accounts: formatNumber(0, language), max: formatNumber(7, language) }
  await expect(page.getByText(say('hosts.load', load))).toBeVisible()

  await button(page, say('hosts.provision.action')).press('Enter')
  await button(page.getByRole('dialog'), say('hosts.provision.action')).press('Enter')
  await expect(runs.getByRole('row')).toHaveCount(3)
  await runs
    .getByRole('button', { name: new RegExp(say('runs.showLog', { date: '' }).trim()) })
    .last()
    .click()
  await expect(logBox(page)).toHaveCount(2)
  await expect(logBox(page).last()).toContainText('KELID_AGENT_URL is not set')

  await button(page, say('hosts.ready.action')).press('Enter')
  await page.getByRole('dialog').getByLabel(say('acts.reason'), { exact: true }).fill('set up by hand')
  await examine(page, 'admin-server-ready', language)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await button(page, say('hosts.remove.action')).press('Enter')
  await expect(page.getByRole('dialog').getByText(say('hosts.remove.text'))).toBeVisible()
  await examine(page, 'admin-server-remove', language)
  await button(page.getByRole('dialog'), say('hosts.remove.action')).press('Enter')
  await expect(page).toHaveURL(adminPaths.servers)
  await expect(page.getByRole('link', { name: serverName })).toHaveCount(0)
  await page.goto(serverPath(serverUUID))
  await expect(page.getByText(say('errors.RESOURCE_NOT_FOUND')).first()).toBeVisible()
})

test('fingerprint and ALPN of a server are edited, and nothing is provisioned', async ({
  page,
  say,
  language,
}) => {
  const { serverUUID, serverName } = await newServer()
  await page.goto(serverPath(serverUUID))
  await button(page, say('hosts.edit.action')).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say('servers.fingerprint'), { exact: true }).selectOption('firefox')
  await dialog.getByLabel(say('servers.alpn'), { exact: true }).selectOption('none')
  await dialog.getByLabel(say('servers.sshPort'), { exact: true }).fill('۲۲۲۳')
  await dialog.getByText(say('hosts.notes')).click()
  await dialog.getByLabel(say('servers.vpnVersion'), { exact: true }).fill('۲.۱')
  await examine(page, 'admin-server-edit', language)
  await button(dialog, say('acts.save')).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('firefox')).toBeVisible()
  await expect(page.getByText(say('servers.alpnNone'))).toBeVisible()
  const runs = await asAdmin()(getHostRuns, { hostUUID: serverUUID })
  expect(runs.items).toHaveLength(1)
  expect(await asAdmin()(getServer, { serverUUID })).toMatchObject({
    serverName,
    serverSSHPort: 2223,
    serverFingerprint: 'firefox',
    serverVPNVersion: '2.1',
  })
})

test('one press cancels an edit with an invalid field', async ({ page, say }) => {
  const { serverUUID } = await newServer()
  await page.goto(serverPath(serverUUID))
  await button(page, say('hosts.edit.action')).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(say('servers.secrets')).click()
  await dialog.getByLabel(say('servers.sshUsername'), { exact: true }).fill('Not A User')
  await button(dialog, say('dialog.cancel')).click()
  await expect(dialog).toHaveCount(0)
})

test('the address of a host is changed, and an invalid one is refused', async ({ page, say, language }) => {
  const { serverUUID, serverName } = await newServer()
  await page.clock.install()
  await page.goto(serverPath(serverUUID))
  await page.getByRole('link', { name: say('servers.change') }).click()
  await expect(page).toHaveURL(changeServerPath(serverUUID))
  await field(page, say('hosts.ipv4')).fill('nonsense')
  await button(page, say('hosts.change')).click()
  await expect(notice(page, say('client.invalidIPv4'))).toBeVisible()
  await examine(page, 'admin-change-server', language)
  const serverIPV4 = newAddress()
  await field(page, say('hosts.ipv4')).fill(serverIPV4)
  await field(page, say('hosts.country')).selectOption('276')
  await field(page, say('hosts.port')).fill('۲۰۵۳')
  await field(page, say('servers.sniAddress')).fill(`sni-${serverName}.example.com`)
  await field(page, say('servers.configJson')).fill('{"log": {}}')
  await button(page, say('hosts.change')).click()
  await expect(inline(page, say('errors.CONFIG_NOT_ALLOWED', { field: 'log' }))).toBeVisible()
  await examine(page, 'admin-change-server-refused', language)
  await field(page, say('servers.configJson')).fill('')
  const sent = bodySent(page, changeServer.path)
  await pauseClock(page)
  await button(page, say('hosts.change')).click()
  expect(await sent).toMatchObject({ serverUUID, serverIPV4, countryId: 276 })
  await expect(notice(page, say('servers.changed', { name: serverName }))).toBeVisible()
  await expect(heading(page, say('hosts.log.title'))).toBeVisible()
  await page.clock.runFor(timings.afterCreateMs)
  await page.clock.resume()
  await expect(page).toHaveURL(adminPaths.servers)
  expect(await asAdmin()(getServer, { serverUUID })).toMatchObject({
    serverIPV4,
    serverPort: 2053,
    serverSNIAddress: `sni-${serverName}.example.com`,
    serverHasConfigJson: false,
  })

  const { tunnelUUID } = await newTunnel()
  await page.goto(tunnelPath(tunnelUUID))
  await expect(logBox(page)).toContainText('KELID_AGENT_URL is not set')
  await examine(page, 'admin-tunnel', language)
  await page.goto(changeTunnelPath(tunnelUUID))
  await field(page, say('hosts.ipv4')).fill(newAddress())
  await button(page, say('hosts.change')).click()
  await expect(page).toHaveURL(adminPaths.tunnels)
})

test('a new host key is accepted after a confirmation', async ({ page, say, language }) => {
  const { serverUUID, serverName } = await newServer()
  await page.goto(serverPath(serverUUID))
  await expect(page.getByText(say('hostKey.none'))).toBeVisible()
  await expect(button(page, say('hostKey.action'))).toHaveCount(0)

  const hostKeyFingerprint = 'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDFhrdFq0OrHbRUw9E'
  const hostKey = {
    hostKeyFingerprint,
    hostKeyDate: new Date(Date.now() - 3 * day).toISOString(),
    hostKeyTrustsProduct: true,
  }
  await answer(page, getHostKey, hostKey)
  await page.reload()
  await expect(page.getByText(hostKeyFingerprint)).toBeVisible()
  await button(page, say('hostKey.action')).click()
  const dialog = page.getByRole('dialog', { name: say('hostKey.acceptTitle', { name: serverName }) })
  await expect(dialog.getByText(say('hostKey.text'))).toBeVisible()
  await examine(page, 'admin-accept-host-key', language)
  const accept = dialog.getByRole('button', { name: say('hostKey.action') })
  // The real server has no key, so it refuses.
  await accept.click()
  await expect(inline(dialog, say('errors.CHANGED_MEANWHILE'))).toBeVisible()
  await answer(page, acceptHostKey, { ...hostKey, hostKeyFingerprint: '', hostKeyDate: null })
  await letThrough(page, getHostKey)
  const sent = bodySent(page, acceptHostKey.path)
  await accept.click()
  expect(await sent).toMatchObject({ hostUUID: serverUUID, basedOn: { hostKeyFingerprint } })
  await expect(notice(page, say('hostKey.done', { name: serverName }))).toBeVisible()
  await expect(page.getByText(say('hostKey.none'))).toBeVisible()
})
