import {
  type Answer,
  acceptHostKey,
  getHostKey,
  getHostPrograms,
  getMachine,
  getMachineRuns,
  getServerLog,
  upgradeHost,
} from '@kelid/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { Route, Routes } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import { confirm, lastBodyTo, press } from '../../../test/actions.ts'
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
const none = { items: [], nextCursor: null, total: 0 }
beforeEach(() => {
  answer(getHostKey, () => ({ hostKeyFingerprint: '', hostKeyDate: null, hostKeyTrustsProduct: false }))
  answer(getHostPrograms, () => none)
  answer(getMachineRuns, () => none)
})

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

const program = (version: string) => ({ version, sha256: version.replace(/\D/g, '').padEnd(64, '0') })
const before = { core: program('26.3.27'), agent: program('0.1.0'), node: program('24.1.0') }
type Programs = Answer<typeof getHostPrograms>['items'][number]
const runs = ({ hostUUID, hostKind, hostName }: ReturnType<typeof aService>): Programs => ({
  ...{ hostUUID, hostKind, hostName, hostState: 'ready', upgradeState: 'current', failedUpgrade: null },
  ...{ wantedPrograms: before, installedPrograms: before, agentVersion: '0.1.0', coreVersion: '26.3.27' },
})

test('versions of each service are shown, and one button upgrades the machine', async () => {
  const service = aService()
  const tunnel = { ...service, hostUUID: tunnelUUID, hostKind: 'tunnel', hostName: 'thr-1' } as const
  carries(service, tunnel)
  const wanted = { ...before, core: program('26.5.9') }
  const outdated: Programs = { ...runs(tunnel), upgradeState: 'outdated' }
  answer(getHostPrograms, () => ({ ...none, items: [runs(service), outdated], total: 2 }))
  answer(upgradeHost, () => undefined)
  open()
  const table = await screen.findByRole('table', { name: 'Programs' })
  const row = within(table).getByText('thr-1').closest('tr') as HTMLElement
  expect(within(row).getByText('Upgrade available')).toBeTruthy()
  expect(within(row).getAllByText('core 26.3.27, agent 0.1.0, Node.js 24.1.0')).toHaveLength(2)
  expect(lastBodyTo(getHostPrograms)).toMatchObject({ machineIPV4: '192.0.2.10' })
  const waiting: Programs = { ...outdated, upgradeState: 'waiting', wantedPrograms: wanted }
  answer(getHostPrograms, () => ({ ...none, items: [runs(service), waiting], total: 2 }))
  await press('Upgrade this machine')
  await confirm('Upgrade')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Upgrade this machine' })).toBeNull())
  expect(lastBodyTo(upgradeHost)).toMatchObject({ hostUUID: tunnelUUID })
  expect(await screen.findByText('Waits for its run')).toBeTruthy()
  expect(screen.getByText('core 26.5.9, agent 0.1.0, Node.js 24.1.0')).toBeTruthy()
})

test('runs of all services are shown with their logs, and those of a removed one without', async () => {
  const service = aService()
  carries(service)
  const run: Answer<typeof getMachineRuns>['items'][number] = {
    ...{
      runUUID: tunnelUUID,
      runPurpose: 'set-up' as const,
      runState: 'failed' as const,
      runAttempts: 1,
      runLines: 2,
    },
    ...{ runQueuedDate: '2026-11-18T10:00:00.000Z', runStartedDate: null, runFinishedDate: null },
    ...{
      runBy: 'admin@example.com',
      hostUUID: service.hostUUID,
      hostKind: 'server' as const,
      hostName: 'fra-1',
    },
  }
  const removed: typeof run = {
    ...run,
    runUUID: service.hostUUID,
    runState: 'succeeded',
    hostUUID: 'gone',
    hostName: '',
  }
  answer(getMachineRuns, () => ({ ...none, items: [run, removed], total: 2 }))
  answer(getServerLog, () => ({ ansibleLog: 'The disk is full', ansibleState: 'failed' as const }))
  open()
  const table = await screen.findByRole('table', { name: 'Runs' })
  expect(within(table).getByRole('link', { name: 'fra-1' }).getAttribute('href')).toBe(
    serverPath(service.hostUUID),
  )
  expect(within(table).getByText('Failed')).toBeTruthy()
  const [button, ...others] = within(table).getAllByRole('button', { name: /^Log of/ })
  expect(others).toEqual([])
  act(() => button?.click())
  expect(await screen.findByText('The disk is full')).toBeTruthy()
  expect(lastBodyTo(getServerLog)).toMatchObject({ serverUUID: service.hostUUID, runUUID: tunnelUUID })
})
