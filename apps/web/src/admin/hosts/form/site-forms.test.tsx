import { addServer, addTunnel, changeServer, changeTunnel, getCountries, getUser } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { lastBodyTo, press, retype, user } from '../../../../test/actions.ts'
import { answer } from '../../../../test/answers.ts'
import { answerNewMachines, aServer, aTunnel, germany } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { AddServerForm } from './add-server-form.tsx'
import { AddTunnelForm } from './add-tunnel-form.tsx'
import { ChangeServerForm } from './change-server-form.tsx'
import { ChangeTunnelForm } from './change-tunnel-form.tsx'

beforeEach(() => {
  answerNewMachines()
  answer(getCountries, () => ({ items: [germany] }))
  answer(addServer, ({ serverUUID }) => aServer({ serverUUID }))
  answer(addTunnel, ({ tunnelUUID }) => aTunnel({ tunnelUUID }))
  answer(changeServer, () => aServer())
  answer(changeTunnel, () => aTunnel())
})

const label = 'Site for strangers'
const site = 'www.shop.example'

test('a server may be added with a site for strangers, unless REALITY shows them one', async () => {
  show(<AddServerForm address="" onCreated={() => undefined} />)
  await user.selectOptions(screen.getByLabelText('Server type'), 'xray')
  await user.selectOptions(screen.getByLabelText('VPN type'), 'vless-reality')
  expect(screen.getAllByLabelText(label)).toHaveLength(1)
  await user.selectOptions(screen.getByLabelText('Server type'), 'hysteria')
  await retype(label, 'https://www.shop.example')
  await user.tab()
  expect(await screen.findByText(/^A host name such as vpn/)).toBeTruthy()
  await retype(label, ` ${site} `)
  await retype('Name', 'waw-1')
  await retype('Server version', '1')
  await retype('VPN version', '1')
  await retype('IPv4 address', '192.0.2.10')
  await retype('URL', 'waw1.example.com')
  await retype('Port', '443')
  await retype('Maximum accounts', '50')
  await press('Create')
  await waitFor(() => expect(lastBodyTo(addServer)).toMatchObject({ serverSite: site }))
})

test('a tunnel may be added with a site for strangers', async () => {
  answer(getUser, () => ({ userEmail: 'owner@example.com', userLevel: 6, userPhone: null }))
  show(<AddTunnelForm address="" onCreated={() => undefined} />)
  await retype('Name', 'thr-1')
  await user.selectOptions(screen.getByLabelText('Tunnel type'), 'ssh')
  await retype('Tunnel version', '1')
  await retype('IPv4 address', '192.0.2.10')
  await retype('URL', 'thr1.example.com')
  await retype('Port', '443')
  await retype('Maximum accounts', '50')
  await retype(label, site)
  await press('Create')
  await waitFor(() => expect(lastBodyTo(addTunnel)).toMatchObject({ tunnelSite: site }))
})

test('the site of a host can be changed and taken back, which stops no link', async () => {
  const server = show(<ChangeServerForm server={aServer({ serverSite: site })} onChanged={() => undefined} />)
  await retype(label, '')
  expect(screen.queryByText(/single links and QR codes/)).toBe(null)
  await press('Change')
  await waitFor(() =>
    expect(lastBodyTo(changeServer)).toMatchObject({ serverSite: '', basedOn: { serverSite: site } }),
  )
  server.unmount()
  show(<ChangeTunnelForm tunnel={aTunnel()} onChanged={() => undefined} />)
  await retype(label, site)
  expect(screen.queryByText(/single links and QR codes/)).toBe(null)
  await press('Change')
  await waitFor(() =>
    expect(lastBodyTo(changeTunnel)).toMatchObject({ tunnelSite: site, basedOn: { tunnelSite: '' } }),
  )
})
