import { addServer, changeServer, checkRealityTarget, getCountries } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { bodiesTo, lastBodyTo, retype, user } from '../../../../test/actions.ts'
import { answer, refuse } from '../../../../test/answers.ts'
import { answerNewMachines, aServer, germany } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { AddServerForm } from './add-server-form.tsx'
import { ChangeServerForm } from './change-server-form.tsx'

beforeEach(() => {
  answerNewMachines()
  answer(getCountries, () => ({ items: [germany] }))
  answer(addServer, ({ serverUUID, serverName }) => aServer({ serverUUID, serverName }))
  answer(changeServer, () => aServer())
  answer(checkRealityTarget, ({ serverRealityTarget }) => ({
    targetProblems: serverRealityTarget === 'old.example' ? (['NO_TLS13', 'NO_H2'] as const).slice() : [],
    usedBy: serverRealityTarget === 'used.example' ? ['fra-1', 'waw-1'] : [],
  }))
})

const site = () => screen.getByLabelText('Site for strangers')
async function name(target: string) {
  await retype('Site for strangers', target)
  await user.tab()
}

test('a server with REALITY is direct or behind ssh, and its site is checked when the field is left', async () => {
  show(<AddServerForm address="" onCreated={() => undefined} />)
  await user.selectOptions(screen.getByLabelText('Server type'), 'xray')
  expect(screen.queryByText(/^Strangers see this site instead/)).toBe(null)
  await user.selectOptions(screen.getByLabelText('VPN type'), 'vless-reality')
  expect(screen.getByText(/^Strangers see this site instead/)).toBeTruthy()
  const tunnel = screen.getByLabelText<HTMLSelectElement>('Tunnel type')
  expect([...tunnel.options].map(({ text }) => text)).toEqual(['None, direct', 'ssh'])
  await name('old')
  await name('old.example')
  expect(
    await screen.findByText('It has no TLS 1.3, so nobody could connect. It has no HTTP/2.'),
  ).toBeTruthy()
  await name('used.example')
  expect(await screen.findByText(/^Also at fra-1, waw-1/)).toBeTruthy()
  await name('shop.example')
  expect(await screen.findByText(/The host checks it again/)).toBeTruthy()
  const asked = bodiesTo(checkRealityTarget).map((body) => body.serverRealityTarget)
  expect(asked).toEqual(['old.example', 'used.example', 'shop.example'])

  await retype('Name', 'waw-1')
  await retype('Server version', '1')
  await retype('VPN version', '1')
  await retype('IPv4 address', '192.0.2.10')
  await retype('URL', 'waw1.example.com')
  await retype('Port', '443')
  await retype('Maximum accounts', '50')
  await user.click(screen.getByRole('button', { name: 'Create' }))
  await waitFor(() =>
    expect(lastBodyTo(addServer)).toMatchObject({
      serverVPNType: 'vless-reality',
      ...{ serverTunnelActive: false, serverTunnelType: '', serverRealityTarget: 'shop.example' },
    }),
  )
})

test('a refused check says why', async () => {
  answer(checkRealityTarget, () => refuse('FORBIDDEN_TARGET', { address: '127.0.0.1' }))
  show(<AddServerForm address="" onCreated={() => undefined} />)
  await user.selectOptions(screen.getByLabelText('Server type'), 'xray')
  await user.selectOptions(screen.getByLabelText('VPN type'), 'vless-reality')
  await name('home.example')
  expect(await screen.findByText('The address 127.0.0.1 is reserved and cannot be used here')).toBeTruthy()
})

test('another site is sent as a change, and only where there is REALITY', async () => {
  const reality = { publicKey: 'x', shortId: '01', changedDate: null }
  const server = aServer({ serverReality: reality, serverRealityTarget: 'shop.example', serverAccounts: 3 })
  show(<ChangeServerForm server={server} onChanged={() => undefined} />)
  expect(site()).toHaveProperty('value', 'shop.example')
  await name('used.example')
  expect(lastBodyTo(checkRealityTarget)).toMatchObject({ serverUUID: server.serverUUID })
  await user.click(screen.getByRole('button', { name: 'Change' }))
  await waitFor(() =>
    expect(lastBodyTo(changeServer)).toMatchObject({
      serverRealityTarget: 'used.example',
      basedOn: { serverRealityTarget: 'shop.example' },
    }),
  )
})
