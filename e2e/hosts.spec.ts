import { randomBytes, randomUUID } from 'node:crypto'
import {
  addServer,
  addTunnel,
  changeServer,
  day,
  editServer,
  getAccount,
  getCompensations,
  getServer,
  getServerLog,
  getServers,
  getTunnels,
  limits,
  moveServerAccounts,
  quoteCompensation,
  type RefusedByServer,
  removeServer,
  setServerReady,
} from '@kelid/contract'
import type { Page } from '@playwright/test'
import {
  adminPaths,
  changeServerPath,
  changeTunnelPath,
  compensatePath,
  serverPath,
  tunnelPath,
} from '../apps/web/src/admin/paths.ts'
import { formatNumber } from '../apps/web/src/lib/format.ts'
import { until } from './call.ts'
import { examine, sidewaysScroll } from './examine.ts'
import { markup, payload, watch } from './payload.ts'
import { asAdmin, newReseller, tunnelledAccount } from './people.ts'
import { beside, button, field, heading, notice } from './see.ts'
import { asAdministrator, asReseller, expect } from './test.ts'
import { answer, breakOff, holdBack, letThrough, refuse } from './wire.ts'

asAdministrator.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Nobody's accounts are placed on these: they take none. */
const newName = (start: string) => `${start}-${randomBytes(4).toString('hex')}`
const serverFields = (serverName: string) =>
  ({
    serverUUID: randomUUID(),
    serverName,
    serverType: 'xray',
    serverVersion: '1.8.4',
    serverVPNType: 'trojan',
    serverVPNVersion: '2.0',
    serverIPV4: '192.0.2.40',
    serverURL: 'ams9.example.com',
    serverPort: 443,
    serverMaxAccounts: 0,
    serverTunnelActive: true,
    serverTunnelType: 'wstunnel',
    countryId: 528,
  }) as const
const newServer = () => asAdmin()(addServer, serverFields(newName('ams')))
const newTunnel = () =>
  asAdmin()(addTunnel, {
    tunnelUUID: randomUUID(),
    tunnelName: newName('thr'),
    tunnelVersion: '1.0',
    tunnelType: 'ssh',
    tunnelCreatorEmail: 'owner@example.com',
    tunnelIPV4: '198.51.100.40',
    tunnelURL: 'thr9.example.com',
    tunnelPort: 443,
    tunnelMaxAccounts: 0,
  })

const bodySent = async (page: Page, path: string): Promise<unknown> =>
  (await page.waitForRequest(`**${path}`)).postDataJSON()
const uuidV4 = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const logBox = (page: Page) => page.locator('[role=region][dir=ltr]')

asAdministrator(
  'a server is added with every field of the specification; its log is got, and whoever looks at it stays',
  async ({ page, say, language }) => {
    const serverName = newName('fra')
    await page.clock.install()
    await page.goto(adminPaths.addServer)
    await field(page, say('hosts.name')).fill(serverName)
    await field(page, say('servers.type')).selectOption('xray')
    await field(page, say('servers.tunnelType')).selectOption('wstunnel')
    await field(page, say('servers.version')).fill('1.8.4')
    await field(page, say('servers.vpnVersion')).fill('2.0')
    await field(page, say('hosts.ipv4')).fill('192.0.2.300')
    await field(page, say('hosts.url')).fill('fra9.example.com')
    await field(page, say('hosts.port')).fill('443')
    await field(page, say('hosts.maxAccounts')).fill('0')
    await button(page, say('hosts.create')).click()
    await expect(notice(page, say('client.incompleteInformation'))).toBeVisible()
    await expect(field(page, say('hosts.ipv4'))).toBeFocused()
    await expect(await beside(field(page, say('hosts.ipv4')))).toHaveText(say('rules.ipv4'))
    await page.getByText(say('hosts.more')).click()
    await examine(page, 'admin-add-server', language)
    await field(page, say('hosts.ipv4')).fill('192.0.2.30')

    const sent = bodySent(page, addServer.path)
    await button(page, say('hosts.create')).click()
    expect(await sent).toEqual({
      client: 'web',
      clientVersion: '1.0',
      lng: language,
      serverName,
      serverType: 'xray',
      serverUUID: uuidV4,
      serverVersion: '1.8.4',
      serverVPNType: 'trojan',
      serverVPNVersion: '2.0',
      serverIPV4: '192.0.2.30',
      serverURL: 'fra9.example.com',
      serverPort: 443,
      serverMaxAccounts: 0,
      serverTunnelActive: true,
      serverTunnelType: 'wstunnel',
      countryId: 0,
      serverProtocol: '',
      serverExpireDate: '',
      serverIPV6: '',
      serverSSHUsername: '',
      serverSSHPassword: '',
      serverSSHKey: '',
      serverLocation: '',
      serverDescription: '',
      serverProvider: '',
      serverHostingName: '',
      serverHostingUsername: '',
      serverHostingPassword: '',
      serverTargetCountry: '',
      serverTargetOperator: '',
      serverSNIAddress: '',
      serverConfigName: '',
      serverConfigJson: '{}',
    })
    await button(page, say('hosts.log.get')).click()
    await expect(logBox(page)).toContainText('KELID_AGENT_URL is not set')
    expect((await logBox(page).boundingBox())?.height).toBeLessThanOrEqual(202)
    await page.clock.fastForward(5_000)
    await expect(page).toHaveURL(adminPaths.addServer)
    await examine(page, 'admin-added-server', language)
    await page.getByRole('link', { name: say('servers.toList') }).click()
    await expect(page).toHaveURL(adminPaths.servers)
    await expect(page.getByRole('link', { name: serverName })).toBeVisible()
  },
)

asAdministrator(
  'a tunnel is added with every field of the specification, and the list follows by itself',
  async ({ page, say, language, administrator }) => {
    const tunnelName = newName('thr')
    await page.goto(adminPaths.addTunnel)
    await expect(field(page, say('tunnels.creatorEmail'))).toHaveValue(administrator.email)
    await field(page, say('hosts.name')).fill(tunnelName)
    await field(page, say('tunnels.type')).selectOption('ssh')
    await field(page, say('tunnels.version')).fill('۱.۰')
    await field(page, say('hosts.ipv4')).fill('198.51.100.30')
    await field(page, say('hosts.url')).fill('thr9.example.com')
    await field(page, say('hosts.port')).fill('۴۴۳')
    await field(page, say('hosts.maxAccounts')).fill('0')
    await examine(page, 'admin-add-tunnel', language)
    const sent = bodySent(page, addTunnel.path)
    await field(page, say('hosts.maxAccounts')).press('Enter')
    expect(await sent).toEqual({
      client: 'web',
      clientVersion: '1.0',
      lng: language,
      tunnelName,
      tunnelUUID: uuidV4,
      tunnelVersion: '1.0',
      tunnelType: 'ssh',
      tunnelCreatorEmail: administrator.email,
      tunnelIPV4: '198.51.100.30',
      tunnelURL: 'thr9.example.com',
      tunnelPort: 443,
      tunnelMaxAccounts: 0,
    })
    await expect(notice(page, say('tunnels.added', { name: tunnelName }))).toBeVisible()
    await expect(page).toHaveURL(adminPaths.tunnels)
    await expect(page.getByRole('link', { name: tunnelName })).toBeVisible()
  },
)

asAdministrator(
  'no answer, and nothing typed is lost; the button is busy while it creates',
  async ({ page, say }) => {
    await page.goto(adminPaths.addTunnel)
    await field(page, say('hosts.name')).fill('thr-x')
    await field(page, say('tunnels.type')).selectOption('ssh')
    await field(page, say('tunnels.version')).fill('1.0')
    await field(page, say('hosts.ipv4')).fill('198.51.100.31')
    await field(page, say('hosts.url')).fill('thr9.example.com')
    await field(page, say('hosts.port')).fill('443')
    await field(page, say('hosts.maxAccounts')).fill('0')
    await breakOff(page, addTunnel)
    await button(page, say('hosts.create')).click()
    await expect(notice(page, say('errors.UNREACHABLE')).first()).toBeVisible()
    await expect(field(page, say('hosts.name'))).toHaveValue('thr-x')
    await letThrough(page, addTunnel)
    await holdBack(page, addTunnel)
    await button(page, say('hosts.create')).click()
    await expect(button(page, say('hosts.creating'))).toBeDisabled()
  },
)

asAdministrator(
  'the lists: both kinds, every address, search, state, a filter that survives a reload',
  async ({ page, say, language }) => {
    const { serverName } = await newServer()
    const { tunnelName } = await newTunnel()
    for (const path of [adminPaths.vpn, adminPaths.servers, adminPaths.managedServers]) {
      await page.goto(path)
      await expect(heading(page, say('servers.title'))).toBeVisible()
    }
    await expect(page.getByRole('link', { name: serverName })).toBeVisible()
    await examine(page, 'admin-servers', language)
    await field(page, say('hosts.search')).fill(serverName)
    await expect(page.getByRole('row').filter({ has: page.getByRole('cell') })).toHaveCount(1)
    await field(page, say('hosts.state')).selectOption('ready')
    await expect(page.getByText(say('list.noneMatch'))).toBeVisible()
    await page.reload()
    await expect(field(page, say('hosts.search'))).toHaveValue(serverName)
    await expect(page.getByText(say('list.noneMatch'))).toBeVisible()
    await button(page, say('list.showAll')).click()
    await expect(field(page, say('hosts.search'))).toHaveValue('')
    await page
      .getByRole('navigation', { name: say('hosts.kinds') })
      .getByRole('link', { name: say('tunnels.title') })
      .click()
    await expect(page.getByRole('link', { name: tunnelName })).toBeVisible()
    await examine(page, 'admin-tunnels', language)
    await page.goto(adminPaths.managedTunnels)
    await expect(heading(page, say('tunnels.title'))).toBeVisible()
  },
)

asAdministrator('nobody has any, and lists that do not come', async ({ page, say, language }) => {
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

asAdministrator(
  'a server’s page by keyboard: pause, edit against another administrator, set up again, live; then remove',
  async ({ page, say, language }) => {
    const { serverUUID, serverName } = await newServer()
    await page.goto(serverPath(serverUUID))
    await expect(heading(page, serverName)).toBeVisible()
    await expect(logBox(page)).toContainText('KELID_AGENT_URL is not set')
    await expect(page.getByRole('table')).toContainText(say('runs.states.failed'))
    await examine(page, 'admin-server', language)

    await button(page, say('hosts.pause.action')).press('Enter')
    await expect(button(page, say('hosts.pause.resume'))).toBeVisible()
    await expect(page.getByText(say('hosts.paused'), { exact: true })).toBeVisible()

    await button(page, say('hosts.edit.action')).press('Enter')
    const most = page.getByRole('dialog').getByLabel(say('hosts.maxAccounts'), { exact: true })
    await most.fill('7')
    await asAdmin()(editServer, { serverUUID, serverMaxAccounts: 9 })
    await most.press('Enter')
    await expect(page.getByText(say('hosts.now', { value: '9' }))).toBeVisible()
    await expect(most).toHaveValue('7')
    await examine(page, 'admin-server-edit-conflict', language)
    await most.press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const shown = { accounts: formatNumber(0, language), max: formatNumber(7, language) }
    await expect(page.getByText(say('hosts.load', shown))).toBeVisible()

    await button(page, say('hosts.provision.action')).press('Enter')
    await button(page.getByRole('dialog'), say('hosts.provision.action')).press('Enter')
    await expect(page.getByRole('table').getByRole('row')).toHaveCount(3)
    await page
      .getByRole('table')
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
  },
)

asAdministrator(
  'an address is changed, and refused in the words of the specification when it is none',
  async ({ page, say, language }) => {
    const { serverUUID, serverName } = await newServer()
    await page.goto(serverPath(serverUUID))
    await page.getByRole('link', { name: say('servers.change') }).click()
    await expect(page).toHaveURL(changeServerPath(serverUUID))
    await field(page, say('hosts.ipv4')).fill('nonsense')
    await button(page, say('hosts.change')).click()
    await expect(notice(page, say('client.invalidIPv4'))).toBeVisible()
    await examine(page, 'admin-change-server', language)
    await field(page, say('hosts.ipv4')).fill('192.0.2.41')
    await field(page, say('hosts.country')).selectOption('276')
    const sent = bodySent(page, changeServer.path)
    await button(page, say('hosts.change')).click()
    expect(await sent).toMatchObject({ serverUUID, serverIPV4: '192.0.2.41', countryId: 276 })
    await expect(notice(page, say('servers.changed', { name: serverName }))).toBeVisible()
    await expect(heading(page, say('hosts.log.title'))).toBeVisible()
    await expect(page).toHaveURL(adminPaths.servers)
    expect((await asAdmin()(getServer, { serverUUID })).serverIPV4).toBe('192.0.2.41')

    const { tunnelUUID } = await newTunnel()
    await page.goto(tunnelPath(tunnelUUID))
    await expect(logBox(page)).toContainText('KELID_AGENT_URL is not set')
    await examine(page, 'admin-tunnel', language)
    await page.goto(changeTunnelPath(tunnelUUID))
    await field(page, say('hosts.ipv4')).fill('198.51.100.41')
    await button(page, say('hosts.change')).click()
    await expect(page).toHaveURL(adminPaths.tunnels)
  },
)

/** Nobody else asks for them, and projects run side by side: only this test's account is placed there. */
const ownCountries: Record<string, number> = { 'en-360': 196, 'en-1280': 352, 'fa-360': 442, 'fa-1280': 470 }
const ownCountry = () => ownCountries[asAdministrator.info().project.name] ?? 60

async function readyServer(serverMaxAccounts: number) {
  const fields = {
    ...serverFields(newName('rey')),
    serverTunnelType: 'ssh',
    countryId: ownCountry(),
    serverMaxAccounts,
  } as const
  await asAdmin()(addServer, fields)
  const { serverUUID } = fields
  const hasFailed = async () => (await asAdmin()(getServer, { serverUUID })).serverState === 'failed'
  await until(hasFailed, 'provisioning to give up')
  return asAdmin()(setServerReady, { serverUUID, reason: 'set up by hand' })
}

asAdministrator(
  'accounts are moved after a preview, and the days of an outage are given once',
  async ({ page, say, language }) => {
    const from = await readyServer(1)
    const reseller = await newReseller()
    const account = await reseller.account({
      ...tunnelledAccount,
      accountTunnelType: 'ssh',
      countryId: ownCountry(),
    })
    const to = await readyServer(5)
    const one = { count: 1, shown: formatNumber(1, language) }

    await page.goto(serverPath(from.serverUUID))
    await button(page, say('hosts.move.action')).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(say('list.search'), { exact: true }).fill(to.serverName)
    // The list is read again once typing has stopped; a press on what is being replaced is made again.
    await expect(async () => {
      await dialog.getByRole('radio', { name: to.serverName }).press('Space')
      await expect(button(dialog, say('hosts.move.confirm', one))).toBeEnabled({ timeout: 3_000 })
    }).toPass()
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
  },
)

asAdministrator(
  'what was given, as a list; a host is chosen by keyboard',
  async ({ page, say, language }) => {
    const one = {
      compensationUUID: randomUUID(),
      compensationState: 'running',
      compensationSubject: 'server',
      compensationSubjectUUID: randomUUID(),
      compensationSubjectName: 'fra-1',
      compensationDays: 3,
      compensationDownFrom: null,
      compensationDownUntil: null,
      compensationReason: 'قطع برق مرکز داده',
      compensationBy: 'admin@example.com',
      compensationDate: '2026-11-16T08:00:00.000Z',
      compensationFinishedDate: null,
      compensationAccounts: 214,
      compensationDone: 90,
      compensationSkipped: 0,
    } as const
    const done = {
      ...one,
      compensationUUID: randomUUID(),
      compensationState: 'finished',
      compensationDone: 214,
      compensationSkipped: 2,
    } as const
    await answer(page, getCompensations, { items: [one, done], nextCursor: null, total: 2 })
    await page.goto(adminPaths.compensations)
    await expect(page.getByRole('table')).toContainText('fra-1')
    await page.getByRole('radio').first().waitFor()
    await examine(page, 'admin-compensations', language)
    await page.getByRole('radio').first().press('ArrowDown')
    await button(page, say('compensations.choose')).press('Enter')
    await expect(field(page, say('compensations.days'))).toBeVisible()
    await expect(page).toHaveURL(/\?serverUUID=/)
  },
)

asAdministrator(
  'hostile output stays text, follows, and can be read in peace',
  async ({ page, say, language }) => {
    const { serverUUID } = await newServer()
    const seen = watch(page)
    const hostile = `${payload}\u001b[31m${'very-long '.repeat(400)}`
    const lines = Array.from({ length: 50_000 }, (_, n) => (n % 1_000 === 0 ? hostile : `task ${n}`))
    const log = lines.join('\n').slice(-1_048_576)
    await answer(page, getServerLog, { ansibleLog: log, ansibleState: 'provisioning' })
    await page.goto(serverPath(serverUUID))
    await expect(logBox(page)).toContainText('task 49999')
    const atEnd = () =>
      logBox(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 24)
    await expect.poll(atEnd).toBe(true)
    const text = await logBox(page).evaluate((box) => box.textContent ?? '')
    expect(text).toContain(markup)
    expect(text).not.toMatch(/\p{Bidi_Control}/u)
    expect(text).not.toContain('\u001b')
    expect(await logBox(page).locator('script, img, svg, a').count()).toBe(0)
    expect(await page.evaluate(() => 'hit_' in window)).toBe(false)
    expect(seen).toEqual([])
    expect(await sidewaysScroll(page)).toBe(0)
    await logBox(page).focus()
    await page.keyboard.press('PageUp')
    await expect(page.getByText(say('hosts.log.stopped'))).toBeVisible()
    await button(page, say('hosts.log.higher')).click()
    expect((await logBox(page).boundingBox())?.height).toBeGreaterThan(202)
    await button(page, say('hosts.log.lower')).click()
    await examine(page, 'admin-log-hostile', language)
    await button(page, say('hosts.log.follow')).click()
    await expect.poll(atEnd).toBe(true)
    const download = page.waitForEvent('download')
    await button(page, say('hosts.log.download')).click()
    expect((await download).suggestedFilename()).toBe(`server-${serverUUID}.log`)
  },
)

asAdministrator('hostile names of hosts stay text', async ({ page }) => {
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

asAdministrator('a server that says no is told, and the button wakes again', async ({ page, say }) => {
  const { serverUUID } = await newServer()
  await refuse(page, changeServer, 'FORBIDDEN_TARGET', { address: '127.0.0.1' })
  await page.goto(changeServerPath(serverUUID))
  await field(page, say('hosts.ipv4')).fill('127.0.0.1')
  await button(page, say('hosts.change')).click()
  await expect(notice(page, say('errors.FORBIDDEN_TARGET', { address: '127.0.0.1' })).first()).toBeVisible()
  await expect(button(page, say('hosts.change'))).toBeEnabled()
})

asReseller('at level 5 nothing of it is shown, asked or done', async ({ page, say, reseller }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/api\/v1\/(?:servers|tunnels|admin)\//.test(request.url())) asked.push(request.url())
  })
  const uuid = randomUUID()
  for (const path of [
    adminPaths.servers,
    adminPaths.addTunnel,
    serverPath(uuid),
    changeTunnelPath(uuid),
    adminPaths.compensations,
  ]) {
    await page.goto(path)
    await expect(heading(page, say('client.adminAccessDenied'))).toBeVisible()
  }
  expect(asked).toEqual([])
  const refusals = await Promise.all(
    [
      reseller.call(getServers, { limit: limits.pageMax }),
      reseller.call(addServer, serverFields('fra-9')),
      reseller.call(editServer, { serverUUID: uuid, serverMaxAccounts: 1 }),
      reseller.call(removeServer, { serverUUID: uuid }),
      reseller.call(moveServerAccounts, { serverUUID: uuid, toServerUUID: uuid, accounts: 1 }),
      reseller.call(quoteCompensation, { serverUUID: uuid, days: 1 }),
      reseller.call(getCompensations, {}),
    ].map((call) => call.catch((error: unknown) => error)),
  )
  for (const refusal of refusals) expect((refusal as RefusedByServer).type).toBe('ACCESS_DENIED')
})
