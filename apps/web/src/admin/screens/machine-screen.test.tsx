import { acceptHostKey, getHostKey, getMachine } from '@kelid/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { Route, Routes } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import { confirm, press } from '../../../test/actions.ts'
import { answer, callsTo } from '../../../test/answers.ts'
import { aService, tunnelUUID } from '../../../test/hosts.ts'
import { show } from '../../../test/show.tsx'
import { emitLiveEvent } from '../../shared/events/live-events.ts'
import { adminPaths, machinePath, serverPath, tunnelPath } from '../paths.ts'
import { MachineScreen } from './machine-screen.tsx'

const open = () =>
  show(
    <Routes>
      <Route path={adminPaths.machine} element={<MachineScreen />} />
    </Routes>,
    { at: machinePath('192.0.2.10') },
  )
const carries = (...services: ReturnType<typeof aService>[]) =>
  answer(getMachine, ({ machineIPV4 }) => ({ machineIPV4, machineSSHPort: 22, services }))
beforeEach(() =>
  answer(getHostKey, () => ({ hostKeyFingerprint: '', hostKeyDate: null, hostKeyTrustsProduct: false })),
)

const addressOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

test('a machine lists its services with their ports, and each leads to its page', async () => {
  const tunnel = { hostUUID: tunnelUUID, hostKind: 'tunnel', hostName: 'thr-1', hostType: 'ssh' } as const
  const service = aService()
  carries(service, { ...service, ...tunnel, ports: [{ network: 'tcp', first: 443, last: 443 }] })
  open()
  const row = (await screen.findByRole('link', { name: 'fra-1' })).closest('tr') as HTMLElement
  expect(within(row).getByText('443/udp, 20000-20100/udp')).toBeTruthy()
  expect([addressOf('fra-1'), addressOf('thr-1')]).toEqual([
    serverPath(service.hostUUID),
    tunnelPath(tunnelUUID),
  ])
  expect(addressOf('Add server')).toContain('at=192.0.2.10')
  expect(screen.queryByRole('link', { name: 'Add tunnel' })).toBeNull()
})

test('an address where nothing runs offers to add a server or a tunnel', async () => {
  carries()
  open()
  expect(await screen.findByText('Nothing runs here.')).toBeTruthy()
  expect([addressOf('Add server'), addressOf('Add tunnel')]).toEqual([
    `${adminPaths.addServer}?at=192.0.2.10`,
    `${adminPaths.addTunnel}?at=192.0.2.10`,
  ])
})

const factOf = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent

test('the SSH port is shown beside the host key, and both are read again when a service changes', async () => {
  const service = aService()
  carries(service)
  open()
  expect(await screen.findByText(/^Not known yet/)).toBeTruthy()
  expect(factOf('SSH port')).toBe('22')
  const hostKeyFingerprint = 'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDFhrdFq0OrHbRUw9E'
  answer(getHostKey, () => ({ hostKeyFingerprint, hostKeyDate: null, hostKeyTrustsProduct: false }))
  act(() => emitLiveEvent({ type: 'server', serverUUID: service.hostUUID, state: 'ready' }))
  await waitFor(() => expect(factOf('Fingerprint')).toBe(hostKeyFingerprint))
  expect(factOf('SSH port')).toBe('22')

  const none = { hostKeyFingerprint: '', hostKeyDate: null, hostKeyTrustsProduct: false }
  answer(acceptHostKey, () => none)
  const readBefore = callsTo(getMachine).length
  await press('Accept a new key')
  await confirm('Accept a new key')
  await waitFor(() => expect(callsTo(getMachine)).toHaveLength(readBefore + 1))
})

test('services without ports have no such column', async () => {
  carries(aService({ ports: [] }))
  open()
  await screen.findByRole('link', { name: 'fra-1' })
  expect(screen.queryByRole('columnheader', { name: 'Port' })).toBeNull()
})
