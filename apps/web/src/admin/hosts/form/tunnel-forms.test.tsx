import {
  changeServer,
  changeTunnel,
  clientMessages,
  getCountries,
  getServer,
  getTunnel,
} from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { answer, callsTo, refuse } from '../../../../test/answers.ts'
import { aServer, aTunnel, germany, netherlands, serverUUID, tunnelUUID } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { ChangeServerForm } from './change-server-form.tsx'
import { ChangeTunnelForm } from './change-tunnel-form.tsx'

test('a change sends its basis, shows concurrent changes, and adopts them in untouched fields', async () => {
  answer(getCountries, () => ({ items: [germany, netherlands] }))
  answer(changeServer, ({ basedOn }) =>
    basedOn?.serverIPV4 === '192.0.2.77' ? aServer() : refuse('CHANGED_MEANWHILE'),
  )
  answer(getServer, () => aServer({ serverIPV4: '192.0.2.77', country: netherlands }))
  const onChanged = vi.fn()
  show(<ChangeServerForm server={aServer()} onChanged={onChanged} />)
  const user = userEvent.setup()
  const field = screen.getByLabelText('IPv4 address')
  await user.clear(field)
  await user.type(field, '192.0.2.11')
  await user.click(screen.getByRole('button', { name: 'Change' }))
  expect(await screen.findByText('Another administrator changed it to: 192.0.2.77')).toBeTruthy()
  expect(screen.getByText('Another administrator changed this; the current value is shown.')).toBeTruthy()
  expect(screen.getByLabelText('Country')).toHaveProperty('value', '528')
  expect(field).toHaveProperty('value', '192.0.2.11')
  await user.click(screen.getByRole('button', { name: 'Change' }))
  await waitFor(() => expect(onChanged).toHaveBeenCalledTimes(1))
  await screen.findByRole('button', { name: 'Changed' })
  expect(screen.queryByText(/Another administrator changed/)).toBeNull()
  expect(callsTo(changeServer).map(({ body }) => body)).toMatchObject([
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

test('an invalid address is refused with the text of the specification', async () => {
  answer(getTunnel, () => aTunnel())
  answer(changeTunnel, () => aTunnel())
  show(<ChangeTunnelForm tunnel={aTunnel()} onChanged={() => undefined} />)
  const user = userEvent.setup()
  const field = screen.getByLabelText('IPv4 address')
  await user.clear(field)
  await user.click(screen.getByRole('button', { name: 'Change' }))
  expect(screen.getAllByText(clientMessages.invalidIPv4)).toHaveLength(2)
  await user.type(field, '۱۹۸.۵۱.۱۰۰.۹')
  await user.click(screen.getByRole('button', { name: 'Change' }))
  await waitFor(() => expect(callsTo(changeTunnel)).toHaveLength(1))
  expect(callsTo(changeTunnel)[0]?.body).toMatchObject({ tunnelUUID, tunnelIPV4: '198.51.100.9' })
})

test('a change warns that the stored password is not sent to the new address, and accepts new access data', async () => {
  answer(changeTunnel, () => aTunnel())
  show(<ChangeTunnelForm tunnel={aTunnel({ tunnelHasSSHSecret: true })} onChanged={() => undefined} />)
  const user = userEvent.setup({ delay: null })
  expect(screen.getByText(/A stored SSH password is not sent to a new address/)).toBeTruthy()
  await user.click(screen.getByText('SSH access at the new address'))
  const username = screen.getByLabelText('SSH user name')
  await user.type(username, 'Not a user')
  await user.click(screen.getByRole('button', { name: 'Change' }))
  expect(screen.getByText(clientMessages.incompleteInformation)).toBeTruthy()
  expect(screen.queryByText(clientMessages.invalidIPv4)).toBeNull()
  await user.clear(username)
  await user.type(screen.getByLabelText('SSH password'), 'hush')
  await user.click(screen.getByRole('switch', { name: /replace the password/ }))
  await user.click(screen.getByRole('button', { name: 'Change' }))
  await waitFor(() => expect(callsTo(changeTunnel)).toHaveLength(1))
  const { body } = callsTo(changeTunnel)[0] ?? {}
  expect(body).toMatchObject({ tunnelSSHPassword: 'hush', tunnelReplacePassword: true })
  for (const empty of ['tunnelSSHUsername', 'tunnelSSHKey']) expect(body).not.toHaveProperty(empty)
})

test('a change of a server sends the fields of spec.md, and access data only if entered', async () => {
  answer(getCountries, () => ({ items: [germany, netherlands] }))
  answer(changeServer, () => aServer())
  const { unmount } = show(<ChangeServerForm server={aServer()} onChanged={() => undefined} />)
  const user = userEvent.setup({ delay: null })
  const submit = async (times: number) => {
    await user.click(screen.getByRole('button', { name: 'Change' }))
    await waitFor(() => expect(callsTo(changeServer)).toHaveLength(times))
    const {
      client: _,
      clientVersion: __,
      lng: ___,
      basedOn: ____,
      ...body
    } = callsTo(changeServer).at(-1)?.body ?? {}
    return body
  }
  const plain = { serverUUID, serverIPV4: '192.0.2.10', countryId: 276 }
  expect(await submit(1)).toEqual(plain)
  unmount()
  show(<ChangeServerForm server={aServer()} onChanged={() => undefined} />)
  await user.type(screen.getByLabelText('SSH user name'), 'deploy')
  await user.type(screen.getByLabelText('SSH password'), 'hush')
  expect(await submit(2)).toEqual({ ...plain, serverSSHUsername: 'deploy', serverSSHPassword: 'hush' })
})

test('the address of another host is refused with its name', async () => {
  answer(changeTunnel, () => refuse('ADDRESS_TAKEN', { address: '192.0.2.11', name: 'fra-9' }))
  show(<ChangeTunnelForm tunnel={aTunnel()} onChanged={() => undefined} />)
  const user = userEvent.setup({ delay: null })
  await user.clear(screen.getByLabelText('IPv4 address'))
  await user.type(screen.getByLabelText('IPv4 address'), '192.0.2.11')
  await user.click(screen.getByRole('button', { name: 'Change' }))
  expect(await screen.findAllByText(/The address 192.0.2.11 belongs to fra-9 already/)).not.toHaveLength(0)
})
