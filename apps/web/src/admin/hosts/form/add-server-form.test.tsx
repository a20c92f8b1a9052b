import { addServer, clientMessages, getCountries, getMachine } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { bodiesTo, fieldValue, lastBodyTo, retype, user } from '../../../../test/actions.ts'
import { answer, callsTo, noAnswer, refuse } from '../../../../test/answers.ts'
import { answerNewMachines, aServer, aService, germany, tunnelUUID } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { AddServerForm } from './add-server-form.tsx'

beforeEach(() => {
  answerNewMachines()
  answer(getCountries, () => ({ items: [germany] }))
  answer(addServer, ({ serverUUID, serverName }) => aServer({ serverUUID, serverName }))
})

const button = () => screen.getByRole('button', { name: 'Create' })

async function fill(address = '192.0.2.10') {
  await retype('Name', 'fra-1')
  await user.selectOptions(screen.getByLabelText('Server type'), 'xray')
  await user.selectOptions(screen.getByLabelText('Tunnel type'), 'wstunnel')
  await retype('Server version', '1.8.4')
  await retype('VPN version', '۲.۰')
  await retype('IPv4 address', address)
  await retype('URL', 'fra1.example.com')
  await retype('Port', '۴۴۳')
  await retype('Maximum accounts', '500')
}

test('another VPN type clears the tunnel, and a type without a tunnel needs none', async () => {
  show(<AddServerForm address="" onCreated={() => undefined} />)
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
  show(<AddServerForm address="" onCreated={() => undefined} />)
  await fill()
  await user.click(screen.getByText('More fields, all optional'))
  await retype('Config JSON', 'nonsense')
  await user.click(screen.getByText('More fields, all optional'))
  await user.click(button())
  expect(screen.getByText(clientMessages.incompleteInformation)).toBeTruthy()
  expect(screen.getByText('A JSON object as text')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Config JSON')))
  expect(document.querySelector('details')?.open).toBe(true)
  expect(callsTo(addServer)).toHaveLength(0)
  await retype('IPv4 address', '192.0.2.999')
  await user.click(button())
  expect(screen.getByText('An IPv4 address such as 192.0.2.10')).toBeTruthy()
  expect(fieldValue('Name')).toBe('fra-1')
})

test('a double click sends once, a retry keeps the UUID, and changed values get a new one', async () => {
  answer(addServer, () => noAnswer())
  show(<AddServerForm address="" onCreated={() => undefined} />)
  await fill()
  const press = async (times: number) => {
    await user.dblClick(button())
    await waitFor(() => expect(callsTo(addServer)).toHaveLength(times))
    await waitFor(() => expect(button()).toHaveProperty('disabled', false))
  }
  await press(1)
  expect((await screen.findAllByText(/No answer from the server/)).length).toBeGreaterThan(0)
  await press(2)
  await retype('Name', 'fra-2')
  await press(3)
  const [first, second, third] = callsTo(addServer).map(({ body }) => body.serverUUID)
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})

test('an SSH port is sent only if it is entered', async () => {
  show(<AddServerForm address="" onCreated={() => undefined} />)
  await fill()
  await user.click(screen.getByText('More fields, all optional'))
  await retype('SSH port', '۷۰۰۰۰')
  await user.click(button())
  expect(screen.getByText('A whole number from 1 to 65535')).toBeTruthy()
  await retype('SSH port', '۲۲۲۲')
  await user.click(button())
  await waitFor(() => expect(callsTo(addServer)).toHaveLength(1))
  await screen.findByRole('button', { name: 'Created' })
  expect(callsTo(addServer)[0]?.body).toMatchObject({ serverPort: 443, serverSSHPort: 2222 })
})

test('a refusal is shown beside the button, which is enabled again', async () => {
  answer(addServer, () => refuse('FORBIDDEN_TARGET', { address: '192.0.2.10' }))
  show(<AddServerForm address="" onCreated={() => undefined} />)
  await fill()
  await user.click(button())
  expect((await screen.findAllByText(/The address 192\.0\.2\.10 is reserved/)).length).toBe(2)
  expect(button()).toHaveProperty('disabled', false)
})

test('a failed read of countries is reported with the text of the specification and blocks nothing', async () => {
  answer(getCountries, () => refuse('BUSY'))
  show(<AddServerForm address="" onCreated={() => undefined} />)
  expect(await screen.findByText(clientMessages.fetchCountriesFailed)).toBeTruthy()
})

const other = aService({ hostUUID: tunnelUUID })
const answerMachine = (services = [other]) =>
  answer(getMachine, ({ machineIPV4 }) => ({
    machineIPV4,
    machineSSHPort: 22,
    services: machineIPV4 === '192.0.2.10' ? services : [],
  }))

test('an address that has services already is one more service of that machine, with its SSH access', async () => {
  answerMachine()
  show(<AddServerForm address="192.0.2.10" onCreated={() => undefined} />)
  expect(await screen.findByText(/One more service of this machine/)).toBeTruthy()
  expect(screen.getByText('fra-1 443/udp, 20000-20100/udp')).toBeTruthy()
  expect(screen.queryByLabelText('SSH port')).toBeNull()
  await retype('IPv4 address', '192.0.2.11')
  expect(await screen.findByLabelText('SSH port')).toBeTruthy()
})

test('access that was entered for another address is neither checked nor sent to a known machine', async () => {
  answerMachine()
  show(<AddServerForm address="192.0.2.11" onCreated={() => undefined} />)
  await fill('192.0.2.11')
  await retype('SSH port', '70000')
  await retype('SSH password', 'hush')
  await retype('SSH key', 'key')
  await retype('IPv4 address', '192.0.2.10')
  expect(await screen.findByText(/One more service of this machine/)).toBeTruthy()
  await user.click(button())
  await screen.findByRole('button', { name: 'Created' })
  expect(lastBodyTo(addServer)).toMatchObject({
    serverSSHUsername: '',
    serverSSHPassword: '',
    serverSSHKey: '',
  })
  expect(lastBodyTo(addServer)).not.toHaveProperty('serverSSHPort')
})

test('a host that was just added is not one of the services already there', async () => {
  let services: (typeof other)[] = []
  answer(getMachine, ({ machineIPV4 }) => ({ machineIPV4, machineSSHPort: 22, services }))
  let isAnswered = false
  answer(addServer, ({ serverUUID, serverName }) => {
    services = [aService({ hostUUID: serverUUID })]
    return isAnswered ? aServer({ serverUUID, serverName }) : noAnswer()
  })
  const { client } = show(<AddServerForm address="" onCreated={() => undefined} />)
  await fill()
  await retype('SSH password', 'hush')
  await waitFor(() => expect(callsTo(getMachine)).toHaveLength(1))
  await user.click(button())
  await screen.findAllByText(/No answer from the server/)
  await client.invalidateQueries({ queryKey: [getMachine.path] })
  expect(callsTo(getMachine)).toHaveLength(2)
  isAnswered = true
  await user.click(button())
  await screen.findByRole('button', { name: 'Created' })
  expect(callsTo(getMachine)).toHaveLength(3)
  expect(screen.queryByText(/One more service/)).toBeNull()
  const [first, second] = bodiesTo(addServer)
  expect(first).toMatchObject({ serverSSHPassword: 'hush' })
  expect(second).toEqual(first)
})

test('the machine at an address is read once it is typed, and announced', async () => {
  answerMachine()
  show(<AddServerForm address="" onCreated={() => undefined} />)
  await retype('IPv4 address', '192.0.2.10')
  const hint = screen.getByText('Such as 192.0.2.10.')
  expect(await screen.findByText(/One more service/)).toBe(hint)
  expect(hint.getAttribute('aria-live')).toBe('polite')
  expect(bodiesTo(getMachine)).toEqual([{ machineIPV4: '192.0.2.10' }])
})
