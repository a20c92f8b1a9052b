import {
  allowShrink,
  cancelHostRun,
  clearAbuseBulk,
  editHost,
  getHostFigures,
  getHostHealth,
  getHostKey,
  getHostMoveTargets,
  getHostRuns,
  getMachine,
  getServer,
  getServers,
  moveHostAccounts,
  provisionServer,
  quoteHostMove,
  revokeNode,
  setHostPaused,
  setServerReady,
} from '@kelid/contract'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { Route, Routes } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import {
  bodiesTo,
  confirm,
  dialogCloses,
  fieldValue,
  lastBodyTo,
  openDialog,
  press,
  retype,
  user,
} from '../../../../test/actions.ts'
import { answer, callsTo, noAnswer, pageOf, refuse } from '../../../../test/answers.ts'
import {
  answerServerPage,
  aRun,
  aServer,
  aService,
  aTunnel,
  serverUUID,
  someFigures,
  tunnelUUID,
} from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { emitLiveEvent } from '../../../shared/events/live-events.ts'
import { adminPaths, serverPath } from '../../paths.ts'
import { ServerScreen } from '../../screens/server-screen.tsx'
import { EditHost } from './edit-host.tsx'

let server = aServer()
const otherUUID = '55555555-5555-4555-8555-555555555555'

beforeEach(() => {
  server = aServer()
  answerServerPage(() => server)
  answer(getServers, () => ({ items: [] }))
})

async function open(change: Partial<typeof server> = {}) {
  server = aServer(change)
  show(
    <Routes>
      <Route path={adminPaths.server} element={<ServerScreen />} />
      <Route path={adminPaths.servers} element={<p>the list</p>} />
    </Routes>,
    { at: serverPath(serverUUID) },
  )
  await screen.findByRole('heading', { name: 'fra-1' })
}

test('a run that cleaned the old machine is labelled', async () => {
  answer(getHostRuns, () => ({ items: [aRun(), aRun({ runUUID: serverUUID, runPurpose: 'clean' })] }))
  await open()
  expect(await screen.findAllByText('Cleaning the old machine')).toHaveLength(1)
})

test('the history of runs shows their number and loads further pages', async () => {
  const runs = Array.from({ length: 45 }, (_, index) =>
    aRun({
      runUUID: `66666666-6666-4666-8666-${String(index).padStart(12, '0')}`,
      runBy: `${index + 1}@kelid.test`,
    }),
  )
  answer(getHostRuns, (body) => pageOf(runs, body))
  await open()
  const history = within(await screen.findByRole('region', { name: 'Runs', hidden: false }))
  expect(await history.findByText('45 entries')).toBeTruthy()
  expect(history.queryByText('45@kelid.test')).toBeNull()
  await user.click(history.getByText('Show more'))
  expect(await history.findByText('45@kelid.test')).toBeTruthy()
})

test('a live event refreshes every panel', async () => {
  await open()
  await screen.findByText('It answered as it should.')
  act(() => emitLiveEvent({ type: 'server', serverUUID, state: 'ready' }))
  await waitFor(() => {
    for (const call of [getServer, getHostHealth, getHostFigures, getHostKey, getHostRuns])
      expect(callsTo(call), call.path).toHaveLength(2)
  })
})

test('a host is paused and resumed', async () => {
  answer(setHostPaused, ({ hostPaused }) => {
    server = aServer({ serverPaused: hostPaused })
    return {}
  })
  await open()
  await user.dblClick(screen.getByRole('button', { name: 'Pause' }))
  expect(await screen.findByRole('button', { name: 'Resume' })).toBeTruthy()
  expect(bodiesTo(setHostPaused)).toEqual([
    { hostUUID: serverUUID, hostPaused: true, basedOn: { hostPaused: false } },
  ])
})

test.each([
  ['Provision again', /keeps serving and selling/, provisionServer],
  ['Cancel run', /stops where it is/, cancelHostRun],
  ['Allow a smaller list', /are disconnected at once/, allowShrink],
  ['Revoke certificates', /refused from its next request on/, revokeNode],
] as const)('"%s" explains itself and needs a confirmation', async (name, meaning, call) => {
  answer(call, () => undefined)
  await open({ serverState: 'provisioning' })
  await press(name)
  const dialog = await openDialog()
  expect(await dialog.findByText(meaning)).toBeTruthy()
  expect(callsTo(call)).toEqual([])
  await user.dblClick(dialog.getByRole('button', { name }))
  await dialogCloses()
  expect(callsTo(call)).toHaveLength(1)
})

test('a host is marked as ready with a reason', async () => {
  answer(setServerReady, () => server)
  await open({ serverState: 'provisioning' })
  await press('Mark as ready')
  const dialog = await openDialog()
  expect(await dialog.findByRole('button', { name: 'Mark as ready' })).toHaveProperty('disabled', true)
  await user.type(dialog.getByLabelText('Reason'), 'set up by hand')
  await confirm('Mark as ready')
  await waitFor(() => expect(lastBodyTo(setServerReady)).toMatchObject({ reason: 'set up by hand' }))
})

test('a ready host offers neither cancelling nor marking as ready', async () => {
  await open()
  expect(screen.queryByRole('button', { name: 'Cancel run' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Mark as ready' })).toBeNull()
})

test('the page shows entered versions beside those that run, and the hosting that ended', async () => {
  await open({ serverExpireDate: '2026-01-31', serverVPNType: 'trojan', serverFingerprint: 'safari' })
  expect(screen.getByText('2.6, VPN 2.6.1')).toBeTruthy()
  expect(await screen.findByText('core 26.3.27, agent 1.0.0')).toBeTruthy()
  expect(screen.getByText(/overdue for \d/)).toBeTruthy()
  expect(screen.getByText('safari')).toBeTruthy()
  expect(screen.getByText('As in the network settings')).toBeTruthy()
})

test('fingerprint and ALPN are edited where the VPN type has them', async () => {
  answer(editHost, () => ({}))
  await open({ serverVPNType: 'trojan' })
  await press('Edit')
  const dialog = await openDialog()
  await user.selectOptions(await dialog.findByLabelText('TLS fingerprint'), 'firefox')
  await user.selectOptions(dialog.getByLabelText('ALPN'), 'none')
  await confirm('Save')
  await waitFor(() =>
    expect(lastBodyTo(editHost)).toEqual({
      hostUUID: serverUUID,
      serverFingerprint: 'firefox',
      serverAlpn: 'none',
      basedOn: { serverFingerprint: '', serverAlpn: '' },
    }),
  )
  cleanup()
  await open()
  await press('Edit')
  expect((await openDialog()).queryByLabelText('TLS fingerprint')).toBeNull()
})

test('an edit sends only changed fields, and shows concurrent changes without undoing them', async () => {
  answer(editHost, ({ basedOn }) => {
    if (basedOn?.serverMaxAccounts === 900) return {}
    server = aServer({ serverMaxAccounts: 900, serverProvider: 'Hetzner' })
    return refuse('CHANGED_MEANWHILE')
  })
  await open()
  await press('Edit')
  expect(await screen.findByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  await retype('Maximum accounts', '600')
  await press('Save')
  expect(await screen.findByText('Another administrator changed it to: 900')).toBeTruthy()
  expect(fieldValue('Maximum accounts')).toBe('600')
  expect(fieldValue('Provider')).toBe('Hetzner')
  await press('Save')
  await waitFor(() =>
    expect(bodiesTo(editHost)).toEqual([
      { hostUUID: serverUUID, serverMaxAccounts: 600, basedOn: { serverMaxAccounts: 500 } },
      { hostUUID: serverUUID, serverMaxAccounts: 600, basedOn: { serverMaxAccounts: 900 } },
    ]),
  )
})

test('a new name is shown at once, and a secret is sent as typed and is not part of the basis', async () => {
  answer(editHost, () => ({}))
  await open()
  await press('Edit')
  await retype('Name', 'fra-9')
  await retype('SSH password', ' hunter2!')
  await retype('SSH key', 'key{Enter}')
  await press('Save')
  expect(await screen.findByText('fra-9 saved')).toBeTruthy()
  expect(lastBodyTo(editHost)).toMatchObject({
    serverSSHPassword: ' hunter2!',
    serverSSHKey: 'key\n',
    basedOn: { serverName: 'fra-1' },
  })
})

const target = { hostUUID: otherUUID, hostName: 'fra-2', room: 400 }
const quote = { accounts: 214, room: 400, fits: true, refusal: null, sameCountry: true }

async function selectMoveTarget() {
  answer(getHostMoveTargets, ({ search }) => ({ items: search ? [] : [target] }))
  await open()
  await press('Move accounts')
  const dialog = await openDialog()
  await user.click(await dialog.findByLabelText(/fra-2/))
  return dialog
}

test('accounts move to a selected server after a preview, and a retry repeats the same request', async () => {
  answer(quoteHostMove, () => quote)
  answer(moveHostAccounts, () => noAnswer())
  const dialog = await selectMoveTarget()
  await user.dblClick(await dialog.findByRole('button', { name: 'Move 214 accounts' }))
  expect(await dialog.findAllByText(/not known whether this was done/)).toBeTruthy()
  answer(moveHostAccounts, () => ({ accounts: 214 }))
  await press('Move 214 accounts')
  expect(await screen.findByText('214 accounts moved')).toBeTruthy()
  const [first, ...retries] = callsTo(moveHostAccounts)
  expect(first?.body).toMatchObject({ hostUUID: serverUUID, toHostUUID: otherUUID, accounts: 214 })
  expect(first?.key).toBeTruthy()
  expect(retries).toEqual([first])
})

test('without enough room the dialog says so and the button is disabled', async () => {
  answer(quoteHostMove, () => ({ ...quote, room: 3, fits: false, refusal: 'NO_ROOM' as const }))
  const dialog = await selectMoveTarget()
  expect(await dialog.findByText(/214 accounts are to move, and 3 fit/)).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Move accounts' })).toHaveProperty('disabled', true)
})

test('a new search clears the selection, so that nothing moves to a hidden host', async () => {
  answer(quoteHostMove, () => quote)
  const dialog = await selectMoveTarget()
  await dialog.findByRole('button', { name: 'Move 214 accounts' })
  await user.type(dialog.getByLabelText('Search'), 'ams')
  expect(await dialog.findByText('Nothing matches.')).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Move accounts' })).toHaveProperty('disabled', true)
})

test('a host with accounts cannot be removed', async () => {
  await open()
  await press('Remove')
  const dialog = await openDialog()
  expect(await dialog.findByText(/still 214 accounts/)).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Remove' })).toHaveProperty('disabled', true)
})

test('the abuse of all accounts of a server is cleared at once', async () => {
  await open()
  expect(screen.queryByRole('button', { name: 'Clear abuse of all' })).toBeNull()
  cleanup()

  const alert = { alert: 'abuse', count: 37, lastDate: new Date().toISOString() } as const
  answer(getHostFigures, () => someFigures({ hostAbusedAccounts: 203, hostAlerts: [alert] }))
  answer(clearAbuseBulk, () => ({ accountsCleared: 200, accountsLeft: 3 }))
  await open()
  expect(await screen.findByText(/^It reported 37 more accounts as shared/)).toBeTruthy()
  await press('Clear abuse of all')
  expect(await screen.findByText(/^203 accounts on this server were stopped/)).toBeTruthy()
  await confirm('Clear abuse of all')
  expect(await screen.findByText(/^200 accounts on .* are open again · 3 are left/)).toBeTruthy()
  expect(bodiesTo(clearAbuseBulk)).toEqual([{ serverUUID }])
})

test('troubles that the agent reports are shown with what it repaired', async () => {
  const sinceDate = new Date().toISOString()
  const hostTroubles = [
    { trouble: 'memory', detail: '20 of 960 MB available', repaired: false, sinceDate } as const,
    { trouble: 'core-hung', detail: '', repaired: true, sinceDate } as const,
  ]
  answer(getHostFigures, () => someFigures({ hostTroubles }))
  await open()
  expect((await screen.findByText('20 of 960 MB available')).dir).toBe('ltr')
  expect(screen.getByText(/^The core did not respond.*The agent repaired it\./)).toBeTruthy()
})

test('a site for strangers that is not right any more is explained, and a right one is not mentioned', async () => {
  await open()
  expect(screen.queryByText(/first noticed/)).toBeNull()
  cleanup()
  const sinceDate = new Date().toISOString()
  await open({
    serverRealityTarget: 'www.shop.example',
    serverTargetTrouble: { targetProblems: ['NO_TLS13', 'CERTIFICATE'], sinceDate },
  })
  const isWarning = ({ textContent }: HTMLElement) => textContent.includes('first noticed')
  const warning = screen.getAllByRole('alert').find(isWarning) ?? document.body
  expect(within(warning).getByText('www.shop.example').dir).toBe('ltr')
  expect(warning.textContent).toMatch(
    /has a problem, first noticed .*It has no TLS 1\.3.*not valid for the name.*The server stays in service\./,
  )
})

test('an edit says beside the SSH fields whether other services of the machine use them', async () => {
  const services = [aService()]
  answer(getMachine, ({ machineIPV4 }) => ({ machineIPV4, machineSSHPort: 22, services }))
  const isShared = /^The other services of this machine use the same SSH access/
  const view = show(<EditHost kind="server" host={aServer()} onClose={() => {}} />)
  await waitFor(() => expect(callsTo(getMachine)).toHaveLength(1))
  expect(screen.queryByText(isShared)).toBeNull()
  view.unmount()
  services.push(aService({ hostUUID: otherUUID }))
  show(<EditHost kind="server" host={aServer()} onClose={() => {}} />)
  // Beside the port, and beside the stored access.
  await waitFor(() => expect(screen.getAllByText(isShared)).toHaveLength(2))
})

test('a tunnel offers its own fields and none of a server', async () => {
  answer(editHost, () => ({}))
  show(<EditHost kind="tunnel" host={aTunnel()} onClose={() => {}} />)
  await retype('Creator’s e-mail', 'new@example.com')
  await retype('Maximum accounts', '۴۰۰')
  await retype('SSH user name', 'deploy')
  expect(screen.queryByLabelText('Provider')).toBeNull()
  await press('Save')
  await waitFor(() =>
    expect(bodiesTo(editHost)).toEqual([
      {
        hostUUID: tunnelUUID,
        tunnelCreatorEmail: 'new@example.com',
        tunnelMaxAccounts: 400,
        tunnelSSHUsername: 'deploy',
        basedOn: { tunnelCreatorEmail: 'owner@example.com', tunnelMaxAccounts: 300 },
      },
    ]),
  )
})
