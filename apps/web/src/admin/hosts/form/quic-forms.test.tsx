import { addServer, changeServer, getCountries } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { lastBodyTo, press, retype, user } from '../../../../test/actions.ts'
import { answer } from '../../../../test/answers.ts'
import { answerNewMachines, aServer, germany } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { AddServerForm } from './add-server-form.tsx'
import { ChangeServerForm } from './change-server-form.tsx'

beforeEach(() => {
  answerNewMachines()
  answer(getCountries, () => ({ items: [germany] }))
  answer(addServer, ({ serverUUID, serverName }) => aServer({ serverUUID, serverName }))
  answer(changeServer, () => aServer())
})

const obfuscation = () => screen.findByRole('switch', { name: 'Obfuscation (Salamander)' })
const stops = () => screen.queryByText(/single links and QR codes of 214 accounts stop/)

test('a server over QUIC may be added with obfuscation and ports to hop', async () => {
  show(<AddServerForm address="" onCreated={() => undefined} />)
  await user.selectOptions(screen.getByLabelText('Server type'), 'xray')
  expect(screen.queryByLabelText('Ports to hop')).toBe(null)
  await user.selectOptions(screen.getByLabelText('Server type'), 'hysteria')
  await user.click(await obfuscation())
  await retype('Ports to hop', '20100-20000')
  await user.tab()
  expect(await screen.findByText(/^Two ports from 1024 to 65535/)).toBeTruthy()
  await retype('Ports to hop', '۲۰۰۰۰-۲۰۱۰۰')

  await retype('Name', 'waw-1')
  await retype('Server version', '1')
  await retype('VPN version', '1')
  await retype('IPv4 address', '192.0.2.10')
  await retype('URL', 'waw1.example.com')
  await retype('Port', '443')
  await retype('Maximum accounts', '50')
  await press('Create')
  await waitFor(() =>
    expect(lastBodyTo(addServer)).toMatchObject({ serverObfuscated: true, serverHopPorts: '20000-20100' }),
  )
})

test('the form says whose links stop when obfuscation changes, and that hopping alone stops none', async () => {
  show(<ChangeServerForm server={aServer()} onChanged={() => undefined} />)
  await retype('Ports to hop', '20000-20100')
  expect(stops()).toBe(null)
  await user.click(await obfuscation())
  expect(stops()).toBeTruthy()
  await press('Change')
  await waitFor(() =>
    expect(lastBodyTo(changeServer)).toMatchObject({
      ...{ serverObfuscated: true, serverHopPorts: '20000-20100' },
      basedOn: { serverObfuscated: false, serverHopPorts: '' },
    }),
  )
})

test('other ports stop the files that have the ones before', async () => {
  show(<ChangeServerForm server={aServer({ serverHopPorts: '20000-20100' })} onChanged={() => undefined} />)
  await retype('Ports to hop', '')
  expect(stops()).toBeTruthy()
})
