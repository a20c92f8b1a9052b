import { getServers, getTunnels } from '@kelid/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fieldValue, hrefOf, lastBodyTo, press, user } from '../../../../test/actions.ts'
import { answer, pageOf } from '../../../../test/answers.ts'
import { aServer, aTunnel, serverUUID } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { emitLiveEvent } from '../../../shared/events/live-events.ts'
import { adminPaths } from '../../paths.ts'
import { ServersScreen } from '../../screens/servers-screen.tsx'
import { TunnelsScreen } from '../../screens/tunnels-screen.tsx'

const inTable = (text: string) => within(screen.getByRole('table')).getByText(text)

test("a row shows URL, type, state, health, load and country, and links to the server's page", async () => {
  answer(getServers, () => pageOf([aServer({ serverPaused: true })]))
  show(<ServersScreen />)
  await screen.findByRole('link', { name: 'fra-1' })
  expect(hrefOf('fra-1')).toBe(`/admin/vpn/server/${serverUUID}/`)
  for (const text of [
    'fra1.example.com',
    'hysteria · hysteria2-direct',
    'Paused',
    'Up',
    '214 of 500',
    'Germany',
  ])
    expect(inTable(text)).toBeTruthy()
  expect(screen.getAllByText('Ready').length).toBe(2)
  expect(hrefOf('Add server')).toBe(adminPaths.addServer)
  expect(hrefOf('Tunnels')).toBe(adminPaths.tunnels)
})

test('a full tunnel that is down says so in words', async () => {
  answer(getTunnels, () => pageOf([aTunnel()]))
  show(<TunnelsScreen />)
  expect(await screen.findByText('300 of 300, full')).toBeTruthy()
  for (const text of ['Down', 'wstunnel', 'Paused']) expect(inTable(text)).toBeTruthy()
})

test('search, filters and order are sent to the server; "show all" resets them', async () => {
  answer(getServers, ({ search, state }) =>
    pageOf(search === 'nowhere' || state === 'failed' ? [] : [aServer()]),
  )
  show(<ServersScreen />)
  await screen.findByRole('link', { name: 'fra-1' })
  await user.type(screen.getByLabelText('Search by name or address'), 'nowhere')
  await user.selectOptions(screen.getByLabelText('State'), 'Failed')
  await user.selectOptions(screen.getByLabelText('Health'), 'Down')
  await user.selectOptions(screen.getByLabelText('Capacity'), 'Nearly full')
  await user.selectOptions(screen.getByLabelText('Type'), 'trojan · ssh')
  await user.selectOptions(screen.getByLabelText('Order'), 'Most accounts first')
  await waitFor(() =>
    expect(lastBodyTo(getServers)).toMatchObject({
      search: 'nowhere',
      state: 'failed',
      health: 'down',
      room: 'nearlyFull',
      serverVPNType: 'trojan',
      serverTunnelType: 'ssh',
      sort: '-serverAccounts',
    }),
  )
  await press('Show all')
  expect(await screen.findByRole('link', { name: 'fra-1' })).toBeTruthy()
  expect(fieldValue('Search by name or address')).toBe('')
  for (const name of ['Type', 'State', 'Health', 'Capacity']) expect(fieldValue(name)).toBe('all')
})

test('a changed server is updated without a reload', async () => {
  let serverState: 'queued' | 'ready' = 'queued'
  answer(getServers, () => pageOf([aServer({ serverState })]))
  show(<ServersScreen />)
  await waitFor(() => expect(screen.getAllByText('Waiting')).toHaveLength(2))
  serverState = 'ready'
  act(() => emitLiveEvent({ type: 'server', serverUUID, state: 'ready' }))
  await waitFor(() => expect(screen.getAllByText('Waiting')).toHaveLength(1))
})
