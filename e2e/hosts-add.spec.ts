import { addServer, addTunnel, getSshKey, getTunnel } from '@kelid/contract'
import { adminPaths, tunnelPath } from '../apps/web/src/admin/paths.ts'
import { examine } from './examine.ts'
import { bodySent, fillHost, logBox, newAddress, newName, uuidV4 } from './hosts.ts'
import { asAdmin } from './people.ts'
import { beside, button, field, notice, pauseClock } from './see.ts'
import { expect, asAdministrator as test } from './test.ts'
import { breakOff, holdBack, letThrough } from './wire.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('a server is added with every field, and its log keeps the screen open', async ({
  page,
  say,
  language,
}) => {
  const [serverName, serverIPV4] = [newName('fra'), newAddress()]
  const serverURL = `${serverName}.example.com`
  await page.clock.install()
  await page.goto(adminPaths.addServer)
  await fillHost(page, say, { name: serverName, ipv4: '192.0.2.300', url: serverURL })
  await field(page, say('servers.type')).selectOption('xray')
  await field(page, say('servers.tunnelType')).selectOption('wstunnel')
  await field(page, say('servers.version')).fill('1.8.4')
  await field(page, say('servers.vpnVersion')).fill('2.0')
  await button(page, say('hosts.create')).click()
  await expect(notice(page, say('client.incompleteInformation'))).toBeVisible()
  await expect(field(page, say('hosts.ipv4'))).toBeFocused()
  await expect(await beside(field(page, say('hosts.ipv4')))).toHaveText(say('rules.ipv4'))
  await page.getByText(say('hosts.more')).click()
  await examine(page, 'admin-add-server', language)
  await field(page, say('hosts.ipv4')).fill(serverIPV4)

  const sent = bodySent(page, addServer.path)
  await pauseClock(page)
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
    serverIPV4,
    serverURL,
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
  await page.clock.resume()
  await expect(logBox(page)).toContainText('KELID_AGENT_URL is not set')
  expect((await logBox(page).boundingBox())?.height).toBeLessThanOrEqual(202)
  await page.clock.fastForward(5_000)
  await expect(page).toHaveURL(adminPaths.addServer)
  await examine(page, 'admin-added-server', language)
  await page.getByRole('link', { name: say('servers.toList') }).click()
  await expect(page).toHaveURL(adminPaths.servers)
  await field(page, say('hosts.search')).fill(serverName)
  await expect(page.getByRole('link', { name: serverName })).toBeVisible()
})

test('a tunnel is added with every field', async ({ page, say, language, administrator }) => {
  const [tunnelName, tunnelIPV4] = [newName('thr'), newAddress()]
  await page.goto(adminPaths.addTunnel)
  await expect(field(page, say('tunnels.creatorEmail'))).toHaveValue(administrator.email)
  await fillHost(page, say, { name: tunnelName, ipv4: tunnelIPV4, url: 'thr9.example.com' })
  await field(page, say('tunnels.type')).selectOption('ssh')
  await field(page, say('tunnels.version')).fill('۱.۰')
  await field(page, say('hosts.port')).fill('۴۴۳')
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
    tunnelIPV4,
    tunnelURL: 'thr9.example.com',
    tunnelPort: 443,
    tunnelMaxAccounts: 0,
  })
  await expect(notice(page, say('tunnels.added', { name: tunnelName }))).toBeVisible()
  await expect(page).toHaveURL(adminPaths.tunnels)
  await field(page, say('hosts.search')).fill(tunnelName)
  await expect(page.getByRole('link', { name: tunnelName })).toBeVisible()
})

test('input survives a missing answer, and the button is busy meanwhile', async ({ page, say }) => {
  await page.goto(adminPaths.addTunnel)
  await fillHost(page, say, { name: 'thr-x', ipv4: newAddress(), url: 'thr9.example.com' })
  await field(page, say('tunnels.type')).selectOption('ssh')
  await field(page, say('tunnels.version')).fill('1.0')
  await breakOff(page, addTunnel)
  await button(page, say('hosts.create')).click()
  await expect(notice(page, say('errors.UNREACHABLE')).first()).toBeVisible()
  await expect(field(page, say('hosts.name'))).toHaveValue('thr-x')
  await letThrough(page, addTunnel)
  await holdBack(page, addTunnel)
  await button(page, say('hosts.create')).click()
  await expect(button(page, say('hosts.creating'))).toBeDisabled()
})

test('the SSH access of a tunnel is sent, kept and never shown', async ({ page, say, language }) => {
  await page.goto(adminPaths.addTunnel)
  const { sshKey, sshKeyFingerprint } = await asAdmin()(getSshKey, {})
  await expect(page.getByText(sshKey)).toBeVisible()
  await expect(page.getByText(sshKeyFingerprint)).toBeVisible()
  await button(page, say('productKey.copy')).click()
  await expect(notice(page, say('productKey.copied'))).toBeVisible()
  await fillHost(page, say, { name: newName('thr'), ipv4: newAddress(), url: 'thr8.example.com' })
  await field(page, say('tunnels.type')).selectOption('ssh')
  await field(page, say('tunnels.version')).fill('1.0')
  await page.getByText(say('hosts.more')).click()
  const replace = page.getByRole('switch', { name: say('ssh.replace') })
  await expect(replace).toBeDisabled()
  await field(page, say('servers.ipv6')).fill('2001:678::7')
  await field(page, say('servers.sshPort')).fill('۲۲۲۲')
  await field(page, say('servers.sshUsername')).fill('deploy')
  await field(page, say('servers.sshPassword')).fill('a secret of the host')
  await replace.check()
  await examine(page, 'admin-add-tunnel-access', language)
  const sent = bodySent(page, addTunnel.path)
  await button(page, say('hosts.create')).click()
  const body = await sent
  const { tunnelUUID } = body as { tunnelUUID: string }
  expect(body).toMatchObject({
    tunnelIPV6: '2001:678::7',
    tunnelSSHPort: 2222,
    tunnelSSHUsername: 'deploy',
    tunnelSSHPassword: 'a secret of the host',
    tunnelReplacePassword: true,
  })
  expect(body).not.toHaveProperty('tunnelSSHKey')
  await expect(page).toHaveURL(adminPaths.tunnels)
  expect((await asAdmin()(getTunnel, { tunnelUUID })).tunnelHasSSHSecret).toBe(true)
  await page.goto(tunnelPath(tunnelUUID))
  await expect(page.getByText(say('servers.kept'))).toBeVisible()
  await expect(page.getByText('a secret of the host')).toHaveCount(0)
})
