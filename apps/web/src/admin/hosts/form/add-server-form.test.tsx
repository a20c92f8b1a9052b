import { addServer, clientMessages, getCountries, getServerLog, getServers, getSshKey } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { answer, callsTo, noAnswer, refuse } from '../../../../test/answers.ts'
import { aServer, germany } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { adminPaths } from '../../paths.ts'
import { AddServerScreen } from '../../screens/add-server-screen.tsx'
import { AddServerForm } from './add-server-form.tsx'

const productKey = { sshKey: 'ssh-ed25519 AAAAC3Nz kelid', sshKeyFingerprint: 'SHA256:abc' }

beforeEach(() => {
  answer(getCountries, () => ({ items: [germany] }))
  answer(getSshKey, () => productKey)
  answer(addServer, ({ serverUUID, serverName }) => aServer({ serverUUID, serverName }))
})

const button = () => screen.getByRole('button', { name: 'Create' })

async function fill() {
  const user = userEvent.setup({ delay: null })
  const type = async (label: string, text: string) => {
    await user.clear(screen.getByLabelText(label))
    await user.type(screen.getByLabelText(label), text)
  }
  await type('Name', 'fra-1')
  await user.selectOptions(screen.getByLabelText('Server type'), 'xray')
  await user.selectOptions(screen.getByLabelText('Tunnel type'), 'wstunnel')
  await type('Server version', '1.8.4')
  await type('VPN version', '۲.۰')
  await type('IPv4 address', '192.0.2.10')
  await type('URL', 'fra1.example.com')
  await type('Port', '۴۴۳')
  await type('Maximum accounts', '500')
  return { user, type }
}

test('the request contains every field of the specification with its default and type', async () => {
  const onCreated = vi.fn()
  show(<AddServerForm onCreated={onCreated} />)
  const { user } = await fill()
  await user.dblClick(button())
  await waitFor(() => expect(onCreated).toHaveBeenCalledTimes(1))
  expect(callsTo(addServer)).toHaveLength(1)
  expect(callsTo(addServer)[0]?.body).toEqual({
    client: 'web',
    clientVersion: '1.0',
    lng: 'en',
    serverName: 'fra-1',
    serverType: 'xray',
    serverUUID: expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ),
    serverVersion: '1.8.4',
    serverVPNType: 'trojan',
    serverVPNVersion: '2.0',
    serverIPV4: '192.0.2.10',
    serverURL: 'fra1.example.com',
    serverPort: 443,
    serverMaxAccounts: 500,
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
})

test('another VPN type clears the tunnel, and a type without a tunnel needs none', async () => {
  show(<AddServerForm onCreated={() => undefined} />)
  const user = userEvent.setup()
  const tunnel = () => screen.getByLabelText<HTMLSelectElement>('Tunnel type')
  const vpn = () => screen.getByLabelText<HTMLSelectElement>('VPN type')
  expect(vpn().disabled).toBe(true)
  await user.selectOptions(screen.getByLabelText('Server type'), 'xray')
  expect(vpn().value).toBe('trojan')
  await user.selectOptions(tunnel(), 'ssh')
  await user.selectOptions(screen.getByLabelText('Server type'), 'hysteria')
  expect([vpn().value, tunnel().value, tunnel().disabled]).toEqual(['hysteria2-direct', '', true])
  await user.selectOptions(screen.getByLabelText('Server type'), 'xray')
  expect([tunnel().value, tunnel().disabled]).toEqual(['', false])
})

test('an error is shown at the top and at its field, which is unfolded, and no input is lost', async () => {
  show(<AddServerForm onCreated={() => undefined} />)
  const { user, type } = await fill()
  await user.click(screen.getByText('More fields, all optional'))
  await type('Config JSON', 'nonsense')
  await user.click(screen.getByText('More fields, all optional'))
  await user.click(button())
  expect(screen.getByText(clientMessages.incompleteInformation)).toBeTruthy()
  expect(screen.getByText('A JSON object as text')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Config JSON')))
  expect(document.querySelector('details')?.open).toBe(true)
  expect(callsTo(addServer)).toHaveLength(0)
  await type('IPv4 address', '192.0.2.999')
  await user.click(button())
  expect(screen.getByText('An IPv4 address such as 192.0.2.10')).toBeTruthy()
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'fra-1')
})

test('a retry with the same values keeps the UUID, changed values get a new one, and no input is lost', async () => {
  answer(addServer, () => noAnswer())
  show(<AddServerForm onCreated={() => undefined} />)
  const { user, type } = await fill()
  const press = async (times: number) => {
    await user.click(button())
    await waitFor(() => expect(callsTo(addServer)).toHaveLength(times))
    await waitFor(() => expect(button()).toHaveProperty('disabled', false))
  }
  await press(1)
  expect((await screen.findAllByText(/No answer from the server/)).length).toBeGreaterThan(0)
  await press(2)
  await type('Name', 'fra-2')
  await press(3)
  const [first, second, third] = callsTo(addServer).map(({ body }) => body.serverUUID)
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})

test('a refusal is shown beside the button, which is enabled again', async () => {
  answer(addServer, () => refuse('FORBIDDEN_TARGET', { address: '192.0.2.10' }))
  show(<AddServerForm onCreated={() => undefined} />)
  const { user } = await fill()
  await user.click(button())
  expect((await screen.findAllByText(/The address 192\.0\.2\.10 is reserved/)).length).toBe(2)
  expect(button()).toHaveProperty('disabled', false)
})

test('a failed read of countries is reported with the text of the specification and blocks nothing', async () => {
  answer(getCountries, () => refuse('BUSY'))
  show(<AddServerForm onCreated={() => undefined} />)
  expect(await screen.findByText(clientMessages.fetchCountriesFailed)).toBeTruthy()
})

const screens = (
  <Routes>
    <Route path={adminPaths.addServer} element={<AddServerScreen />} />
    <Route path={adminPaths.servers} element={<p>the list</p>} />
  </Routes>
)

test('the list opens after two seconds', async () => {
  show(screens, { at: adminPaths.addServer })
  const { user } = await fill()
  const from = Date.now()
  await user.click(button())
  expect(await screen.findByText(/fra-1 created/)).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Ansible log' })).toBeTruthy()
  expect(await screen.findByText('the list')).toBeTruthy()
  expect(Date.now() - from).toBeGreaterThanOrEqual(2_000)
})

test('an administrator who opens the log stays', async () => {
  answer(getServerLog, () => ({ ansibleLog: 'PLAY [all]', ansibleState: 'queued' as const }))
  answer(getServers, () => ({ items: [] }))
  show(screens, { at: adminPaths.addServer })
  const { user } = await fill()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  await user.click(button())
  await user.click(await screen.findByRole('button', { name: 'Get the log' }))
  expect(await screen.findByText('PLAY [all]')).toBeTruthy()
  await vi.advanceTimersByTimeAsync(5_000)
  vi.useRealTimers()
  expect(screen.queryByText('the list')).toBeNull()
  await user.click(screen.getByRole('link', { name: 'To the servers' }))
  expect(screen.getByText('the list')).toBeTruthy()
})

test('the form is translated into Persian', async () => {
  show(<AddServerForm onCreated={() => undefined} />, { language: 'fa' })
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'ساختن' }))
  expect(screen.getByText('عددی از ۱ تا ۶۵۵۳۵')).toBeTruthy()
})

test("the installation's key is shown, copied, and replaces the password on request", async () => {
  show(<AddServerScreen />)
  const { user, type } = await fill()
  expect((await screen.findByText(productKey.sshKey)).getAttribute('dir')).toBe('ltr')
  expect(screen.getByText(/authorized_keys/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await screen.findByText('Key copied')).toBeTruthy()
  expect(await navigator.clipboard.readText()).toBe(productKey.sshKey)
  await user.click(screen.getByText('More fields, all optional'))
  const replace = screen.getByRole('switch', { name: /replace the password/ })
  expect(replace).toHaveProperty('disabled', true)
  await type('SSH password', 'hush')
  await user.click(replace)
  await user.click(button())
  await waitFor(() =>
    expect(callsTo(addServer)[0]?.body).toMatchObject({
      serverSSHPassword: 'hush',
      serverReplacePassword: true,
    }),
  )
})
