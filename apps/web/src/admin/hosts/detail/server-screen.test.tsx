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
  getServer,
  getServerLog,
  getServers,
  moveHostAccounts,
  provisionServer,
  quoteHostMove,
  removeHost,
  revokeNode,
  setHostPaused,
  setServerReady,
} from '@kelid/contract'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import { answer, callsTo, noAnswer, pageOf, refuse } from '../../../../test/answers.ts'
import {
  aHealth,
  aHostKey,
  aRun,
  aServer,
  aTunnel,
  serverUUID,
  someFigures,
  tunnelUUID,
} from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { adminPaths, serverPath } from '../../paths.ts'
import { ServerScreen } from '../../screens/server-screen.tsx'
import { EditHost } from './edit-host.tsx'

let server = aServer()
const otherUUID = '55555555-5555-4555-8555-555555555555'

beforeEach(() => {
  server = aServer()
  answer(getServer, () => server)
  answer(getServers, () => ({ items: [] }))
  answer(getHostHealth, () => aHealth())
  answer(getHostFigures, () => someFigures())
  answer(getHostKey, () => aHostKey())
  answer(getHostRuns, () => ({ items: [aRun()] }))
  answer(getServerLog, () => ({ ansibleLog: '', ansibleState: 'ready' as const }))
})

const open = async (change: Partial<typeof server> = {}) => {
  server = aServer(change)
  show(
    <Routes>
      <Route path={adminPaths.server} element={<ServerScreen />} />
      <Route path={adminPaths.servers} element={<p>the list</p>} />
    </Routes>,
    { at: serverPath(serverUUID) },
  )
  await screen.findByRole('heading', { name: 'fra-1' })
  return userEvent.setup({ delay: null })
}
const dialog = () => screen.findByRole('dialog')
const press = async (user: ReturnType<typeof userEvent.setup>, name: string) =>
  user.click(screen.getByRole('button', { name }))

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
  const user = await open()
  const history = within(await screen.findByRole('region', { name: 'Runs', hidden: false }))
  expect(await history.findByText('45 entries')).toBeTruthy()
  expect(history.queryByText('45@kelid.test')).toBeNull()
  await user.click(history.getByText('Show more'))
  expect(await history.findByText('45@kelid.test')).toBeTruthy()
})

test('a host is paused and resumed', async () => {
  answer(setHostPaused, ({ hostPaused }) => {
    server = aServer({ serverPaused: hostPaused })
    return {}
  })
  const user = await open()
  await user.dblClick(screen.getByRole('button', { name: 'Pause' }))
  expect(await screen.findByRole('button', { name: 'Resume' })).toBeTruthy()
  expect(callsTo(setHostPaused)).toHaveLength(1)
  expect(callsTo(setHostPaused)[0]?.body).toMatchObject({
    hostPaused: true,
    basedOn: { hostPaused: false },
  })
})

test('provisioning, cancelling and marking as ready each ask for confirmation', async () => {
  answer(provisionServer, () => ({}))
  answer(cancelHostRun, () => ({}))
  answer(setServerReady, () => server)
  const user = await open({ serverState: 'provisioning' })
  await press(user, 'Provision again')
  await user.dblClick(await within(await dialog()).findByRole('button', { name: 'Provision again' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(callsTo(provisionServer)).toHaveLength(1)

  await press(user, 'Cancel run')
  expect(within(await dialog()).queryByRole('button', { name: 'Cancel' })).toBeNull()
  await user.click(await within(await dialog()).findByRole('button', { name: 'Cancel run' }))
  await waitFor(() => expect(callsTo(cancelHostRun)).toHaveLength(1))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await press(user, 'Mark as ready')
  const ready = within(await dialog())
  expect(await ready.findByRole('button', { name: 'Mark as ready' })).toHaveProperty('disabled', true)
  await user.type(ready.getByLabelText('Reason'), 'set up by hand')
  await user.click(ready.getByRole('button', { name: 'Mark as ready' }))
  await waitFor(() => expect(callsTo(setServerReady)[0]?.body).toMatchObject({ reason: 'set up by hand' }))
})

test('a ready host offers neither cancelling nor marking as ready', async () => {
  await open()
  expect(screen.queryByRole('button', { name: 'Cancel run' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Mark as ready' })).toBeNull()
})

test('an edit sends only changed fields, and shows concurrent changes without undoing them', async () => {
  let isFirst = true
  answer(editHost, () => {
    if (!isFirst) return {}
    isFirst = false
    server = aServer({ serverMaxAccounts: 900, serverProvider: 'Hetzner' })
    return refuse('CHANGED_MEANWHILE')
  })
  const user = await open()
  await press(user, 'Edit')
  const edit = within(await dialog())
  const maxAccounts = await edit.findByLabelText('Maximum accounts')
  expect(edit.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  await user.clear(maxAccounts)
  await user.type(maxAccounts, '600')
  await user.click(edit.getByRole('button', { name: 'Save' }))
  expect(await edit.findByText('Another administrator changed it to: 900')).toBeTruthy()
  expect(maxAccounts).toHaveProperty('value', '600')
  expect(edit.getByLabelText('Provider')).toHaveProperty('value', 'Hetzner')
  await user.click(edit.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(callsTo(editHost)).toHaveLength(2))
  const bodies = callsTo(editHost).map(({ body: { client, clientVersion, lng, ...rest } }) => rest)
  expect(bodies).toEqual([
    { hostUUID: serverUUID, serverMaxAccounts: 600, basedOn: { serverMaxAccounts: 500 } },
    { hostUUID: serverUUID, serverMaxAccounts: 600, basedOn: { serverMaxAccounts: 900 } },
  ])
})

test('a new name is shown at once', async () => {
  answer(editHost, () => ({}))
  const user = await open()
  await press(user, 'Edit')
  const edit = within(await dialog())
  await user.clear(await edit.findByLabelText('Name'))
  await user.type(edit.getByLabelText('Name'), 'fra-9')
  await user.click(edit.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('fra-9 saved')).toBeTruthy()
})

test('a secret is sent as typed and is not part of the basis', async () => {
  answer(editHost, () => ({}))
  const user = await open()
  await press(user, 'Edit')
  const edit = within(await dialog())
  await user.type(await edit.findByLabelText('SSH password'), ' hunter2!')
  await user.type(edit.getByLabelText('SSH key'), 'key{Enter}')
  await user.click(edit.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(callsTo(editHost)).toHaveLength(1))
  expect(callsTo(editHost)[0]?.body).toMatchObject({
    serverSSHPassword: ' hunter2!',
    serverSSHKey: 'key\n',
    basedOn: {},
  })
})

const target = { hostUUID: otherUUID, hostName: 'fra-2', room: 400 }
const quote = { accounts: 214, room: 400, fits: true, refusal: null, sameCountry: true }

test('accounts move to a selected server after a preview, and a retry repeats the same request', async () => {
  answer(getHostMoveTargets, () => ({ items: [target] }))
  answer(quoteHostMove, () => quote)
  answer(moveHostAccounts, () => noAnswer())
  const user = await open()
  await press(user, 'Move accounts')
  const move = within(await dialog())
  await user.click(await move.findByLabelText(/fra-2/))
  const confirm = await move.findByRole('button', { name: 'Move 214 accounts' })
  await user.dblClick(confirm)
  expect(await move.findAllByText(/not known whether this was done/)).toBeTruthy()
  answer(moveHostAccounts, () => ({ accounts: 214 }))
  await user.click(move.getByRole('button', { name: 'Move 214 accounts' }))
  expect(await screen.findByText('214 accounts moved')).toBeTruthy()
  const [first, second, ...rest] = callsTo(moveHostAccounts)
  expect(rest).toEqual([])
  expect(first?.body).toMatchObject({ hostUUID: serverUUID, toHostUUID: otherUUID, accounts: 214 })
  expect(second?.key).toBe(first?.key)
  expect(first?.key).toBeTruthy()
})

test('without enough room the dialog says so and the button is disabled', async () => {
  answer(getHostMoveTargets, () => ({ items: [target] }))
  answer(quoteHostMove, () => ({ ...quote, room: 3, fits: false, refusal: 'NO_ROOM' as const }))
  const user = await open()
  await press(user, 'Move accounts')
  const move = within(await dialog())
  await user.click(await move.findByLabelText(/fra-2/))
  expect(await move.findByText(/214 accounts are to move, and 3 fit/)).toBeTruthy()
  expect(move.getByRole('button', { name: 'Move accounts' })).toHaveProperty('disabled', true)
})

test('a new search clears the selection, so that nothing moves to a hidden host', async () => {
  answer(getHostMoveTargets, ({ search }) => ({ items: search ? [] : [target] }))
  answer(quoteHostMove, () => quote)
  const user = await open()
  await press(user, 'Move accounts')
  const move = within(await dialog())
  await user.click(await move.findByLabelText(/fra-2/))
  await move.findByRole('button', { name: 'Move 214 accounts' })
  await user.type(move.getByLabelText('Search'), 'ams')
  expect(await move.findByText('Nothing matches.')).toBeTruthy()
  expect(move.getByRole('button', { name: 'Move accounts' })).toHaveProperty('disabled', true)
})

test('a host with accounts cannot be removed', async () => {
  const user = await open()
  await press(user, 'Remove')
  const full = within(await dialog())
  expect(await full.findByText(/still 214 accounts/)).toBeTruthy()
  expect(full.getByRole('button', { name: 'Remove' })).toHaveProperty('disabled', true)
})

test('an empty host is removed after a confirmation, and the list follows', async () => {
  answer(removeHost, () => ({}))
  const user = await open({ serverAccounts: 0 })
  expect(screen.queryByRole('button', { name: 'Move accounts' })).toBeNull()
  await press(user, 'Remove')
  const remove = within(await dialog())
  expect(await remove.findByText(/This cannot be undone/)).toBeTruthy()
  await user.click(remove.getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('the list')).toBeTruthy()
  expect(screen.getByText('fra-1 removed')).toBeTruthy()
})

test('allowing a smaller list and revoking certificates each need a confirmation', async () => {
  answer(allowShrink, () => undefined)
  answer(revokeNode, () => undefined)
  const user = await open()
  for (const [name, meaning, doneText, call] of [
    ['Allow a smaller list', /are disconnected at once/, /accepts the next list/, allowShrink],
    ['Revoke certificates', /refused from its next request on/, /are revoked/, revokeNode],
  ] as const) {
    await press(user, name)
    expect(await within(await dialog()).findByText(meaning)).toBeTruthy()
    expect(callsTo(call)).toEqual([])
    await user.dblClick(within(await dialog()).getByRole('button', { name }))
    expect(await screen.findByText(doneText)).toBeTruthy()
    expect(callsTo(call).map(({ body }) => body)).toMatchObject([{ hostUUID: serverUUID }])
  }
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
  await userEvent.click(await screen.findByRole('button', { name: 'Clear abuse of all' }))
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByText(/^203 accounts on this server were stopped/)).toBeTruthy()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Clear abuse of all' }))
  expect(await screen.findByText(/^200 accounts on .* are open again · 3 are left/)).toBeTruthy()
  expect(callsTo(clearAbuseBulk)).toMatchObject([{ body: { serverUUID } }])
})

test('a tunnel offers its own fields and none of a server', async () => {
  answer(editHost, () => ({}))
  show(<EditHost kind="tunnel" host={aTunnel()} onClose={() => {}} />)
  const user = userEvent.setup({ delay: null })
  const email = await screen.findByLabelText('Creator’s e-mail')
  expect(screen.queryByLabelText('Provider')).toBeNull()
  await user.clear(email)
  await user.type(email, 'new@example.com')
  await user.clear(screen.getByLabelText('Maximum accounts'))
  await user.type(screen.getByLabelText('Maximum accounts'), '۴۰۰')
  await user.type(screen.getByLabelText('SSH user name'), 'deploy')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(callsTo(editHost)).toHaveLength(1))
  expect(callsTo(editHost)[0]?.body).toMatchObject({
    hostUUID: tunnelUUID,
    tunnelCreatorEmail: 'new@example.com',
    tunnelMaxAccounts: 400,
    tunnelSSHUsername: 'deploy',
    basedOn: { tunnelCreatorEmail: 'owner@example.com', tunnelMaxAccounts: 300 },
  })
})
