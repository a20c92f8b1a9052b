import {
  changeServer,
  changeTunnel,
  clientMessages,
  getCountries,
  getMachine,
  getServer,
  getTunnel,
} from '@kelid/contract'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { bodiesTo, fieldValue, lastBodyTo, press, retype, user } from '../../../../test/actions.ts'
import { answer, refuse } from '../../../../test/answers.ts'
import {
  answerNewMachines,
  aServer,
  aService,
  aTunnel,
  germany,
  netherlands,
  serverUUID,
  tunnelUUID,
} from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { ChangeServerForm } from './change-server-form.tsx'
import { ChangeTunnelForm } from './change-tunnel-form.tsx'

beforeEach(() => answerNewMachines())

test('a change sends its basis, shows concurrent changes, and adopts them in untouched fields', async () => {
  answer(getCountries, () => ({ items: [germany, netherlands] }))
  answer(changeServer, ({ basedOn }) =>
    basedOn?.serverIPV4 === '192.0.2.77' ? aServer() : refuse('CHANGED_MEANWHILE'),
  )
  answer(getServer, () => aServer({ serverIPV4: '192.0.2.77', country: netherlands }))
  const onChanged = vi.fn()
  show(<ChangeServerForm server={aServer()} onChanged={onChanged} />)
  await retype('IPv4 address', '192.0.2.11')
  await press('Change')
  expect(await screen.findByText('Another administrator changed it to: 192.0.2.77')).toBeTruthy()
  expect(screen.getByText('Another administrator changed this; the current value is shown.')).toBeTruthy()
  expect(fieldValue('Country')).toBe('528')
  expect(fieldValue('IPv4 address')).toBe('192.0.2.11')
  await press('Change')
  await waitFor(() => expect(onChanged).toHaveBeenCalledTimes(1))
  await screen.findByRole('button', { name: 'Changed' })
  expect(screen.queryByText(/Another administrator changed/)).toBeNull()
  expect(bodiesTo(changeServer)).toEqual([
    {
      serverUUID,
      serverIPV4: '192.0.2.11',
      countryId: 276,
      basedOn: { serverIPV4: '192.0.2.10', countryId: 276 },
    },
    {
      serverUUID,
      serverIPV4: '192.0.2.11',
      countryId: 528,
      basedOn: { serverIPV4: '192.0.2.77', countryId: 528 },
    },
  ])
})

test('port and names are sent only if changed, and the form says whose links stop', async () => {
  answer(getCountries, () => ({ items: [germany, netherlands] }))
  answer(changeServer, ({ basedOn }) =>
    basedOn?.serverPort === 2053 ? aServer() : refuse('CHANGED_MEANWHILE'),
  )
  answer(getServer, () => aServer({ serverPort: 2053, serverURL: 'moved.example.com' }))
  show(<ChangeServerForm server={aServer()} onChanged={() => undefined} />)
  expect(screen.queryByText(/QR codes of 214 accounts/)).toBeNull()
  await retype('Port', '۹۴۴۳')
  expect(screen.getByText(/QR codes of 214 accounts/)).toBeTruthy()
  await press('Change')
  expect(await screen.findByText('Another administrator changed it to: 2053')).toBeTruthy()
  await waitFor(() => expect(fieldValue('URL')).toBe('moved.example.com'))
  await press('Change')
  await screen.findByRole('button', { name: 'Changed' })
  const body = { serverUUID, serverIPV4: '192.0.2.10', countryId: 276, serverPort: 9443 }
  const basis = { serverIPV4: '192.0.2.10', countryId: 276 }
  expect(bodiesTo(changeServer)).toEqual([
    { ...body, basedOn: { ...basis, serverPort: 8443 } },
    { ...body, basedOn: { ...basis, serverPort: 2053 } },
  ])
})

test('behind a tunnel only the TLS name is in links', async () => {
  answer(getCountries, () => ({ items: [germany] }))
  show(<ChangeServerForm server={aServer({ serverTunnelType: 'ssh' })} onChanged={() => undefined} />)
  await retype('Port', '9443')
  await retype('IPv4 address', '192.0.2.11')
  expect(screen.queryByText(/QR codes/)).toBeNull()
  await retype('SNI address', 'sni.example.com')
  expect(screen.getByText(/QR codes of 214 accounts/)).toBeTruthy()
})

test('the SSH port at a new address is sent if it is entered', async () => {
  answer(changeTunnel, () => aTunnel())
  show(<ChangeTunnelForm tunnel={aTunnel()} onChanged={() => undefined} />)
  await retype('IPv4 address', '198.51.100.9')
  await retype('SSH port', '2222')
  await press('Change')
  await screen.findByRole('button', { name: 'Changed' })
  expect(lastBodyTo(changeTunnel)).toEqual({
    tunnelUUID,
    tunnelIPV4: '198.51.100.9',
    tunnelSSHPort: 2222,
    basedOn: { tunnelIPV4: '198.51.100.7' },
  })
})

test('a concurrent change of a tunnel’s port is not undone', async () => {
  answer(changeTunnel, ({ basedOn }) =>
    basedOn?.tunnelIPV4 === '198.51.100.8' ? aTunnel() : refuse('CHANGED_MEANWHILE'),
  )
  answer(getTunnel, () => aTunnel({ tunnelIPV4: '198.51.100.8', tunnelPort: 2053 }))
  show(<ChangeTunnelForm tunnel={aTunnel()} onChanged={() => undefined} />)
  await retype('IPv4 address', '198.51.100.9')
  await press('Change')
  await waitFor(() => expect(fieldValue('Port')).toBe('2053'))
  await press('Change')
  await screen.findByRole('button', { name: 'Changed' })
  expect(lastBodyTo(changeTunnel)).toEqual({
    tunnelUUID,
    tunnelIPV4: '198.51.100.9',
    basedOn: { tunnelIPV4: '198.51.100.8' },
  })
})

test('an invalid address is refused with the text of the specification', async () => {
  answer(getTunnel, () => aTunnel())
  answer(changeTunnel, () => aTunnel())
  show(<ChangeTunnelForm tunnel={aTunnel()} onChanged={() => undefined} />)
  await retype('IPv4 address', '')
  await press('Change')
  expect(screen.getAllByText(clientMessages.invalidIPv4)).toHaveLength(2)
  await retype('IPv4 address', '۱۹۸.۵۱.۱۰۰.۹')
  await press('Change')
  const changed = { tunnelUUID, tunnelIPV4: '198.51.100.9' }
  await waitFor(() => expect(lastBodyTo(changeTunnel)).toMatchObject(changed))
})

test('a change warns that the stored password is not sent to the new address, and accepts new access data', async () => {
  answer(changeTunnel, () => aTunnel())
  show(<ChangeTunnelForm tunnel={aTunnel({ tunnelHasSSHSecret: true })} onChanged={() => undefined} />)
  expect(screen.getByText(/A stored SSH password is not sent to a new address/)).toBeTruthy()
  await user.click(screen.getByText('SSH access at the new address'))
  await retype('SSH user name', 'Not a user')
  await press('Change')
  expect(screen.getByText(clientMessages.incompleteInformation)).toBeTruthy()
  expect(screen.queryByText(clientMessages.invalidIPv4)).toBeNull()
  await retype('SSH user name', '')
  await retype('SSH password', 'hush')
  await user.click(screen.getByRole('switch', { name: /replace the password/ }))
  await press('Change')
  await waitFor(() => expect(bodiesTo(changeTunnel)).toHaveLength(1))
  const body = lastBodyTo(changeTunnel)
  expect(body).toMatchObject({ tunnelSSHPassword: 'hush', tunnelReplacePassword: true })
  for (const empty of ['tunnelSSHUsername', 'tunnelSSHKey']) expect(body).not.toHaveProperty(empty)
})

test('a change of a server sends access data only if entered', async () => {
  answer(getCountries, () => ({ items: [germany, netherlands] }))
  answer(changeServer, () => aServer())
  show(<ChangeServerForm server={aServer()} onChanged={() => undefined} />)
  await retype('SSH user name', 'deploy')
  await retype('SSH password', 'hush')
  await press('Change')
  await waitFor(() =>
    expect(lastBodyTo(changeServer)).toMatchObject({
      serverSSHUsername: 'deploy',
      serverSSHPassword: 'hush',
    }),
  )
})

const isShared = /^The other services of this machine use the same SSH access/

test('beside the SSH fields the form says whether other services use them', async () => {
  answer(getCountries, () => ({ items: [germany] }))
  const services = [aService(), aService({ hostUUID: tunnelUUID, hostKind: 'tunnel' })]
  answer(getMachine, ({ machineIPV4 }) => ({ machineIPV4, machineSSHPort: 22, services }))
  show(<ChangeServerForm server={aServer()} onChanged={() => undefined} />)
  expect(await screen.findByText(isShared)).toBeTruthy()
  cleanup()
  show(<ChangeTunnelForm tunnel={aTunnel()} onChanged={() => undefined} />)
  expect(await screen.findByText(isShared)).toBeTruthy()
  services.shift()
  await retype('IPv4 address', '198.51.100.9')
  await waitFor(() => expect(lastBodyTo(getMachine)).toEqual({ machineIPV4: '198.51.100.9' }))
  await waitFor(() => expect(screen.queryByText(isShared)).toBeNull())
})
