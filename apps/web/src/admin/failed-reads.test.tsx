import {
  calls,
  getHostFigures,
  getHostHealth,
  getHostKey,
  getHostRuns,
  getServer,
  getServerLog,
  getServers,
  getTunnels,
} from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router'
import { expect, test } from 'vitest'
import { answer, callsTo, noAnswer, refuse } from '../../test/answers.ts'
import { aHealth, aHostKey, aRun, aServer, serverUUID, someFigures } from '../../test/hosts.ts'
import { show } from '../../test/show.tsx'
import { noticeStore, resetNotice } from '../lib/notices.ts'
import { HostFigures } from './hosts/detail/host-figures.tsx'
import { adminPaths } from './paths.ts'
import { type AdminRoute, adminRoutes } from './routes.ts'
import { screens } from './screens.ts'

const screensWithoutReads = ['landing-screen']
const addressOf = (path: string) => path.replace(':userEmail', 'sara@kelid.test').replace(/:\w+/, serverUUID)

async function openScreen({ path, screen: file }: Pick<AdminRoute, 'path' | 'screen'>) {
  const [Screen] = Object.values(await screens[file]())
  if (!Screen) throw new Error(`no screen ${file}`)
  return show(
    <Routes>
      <Route path={path} element={<Screen />} />
    </Routes>,
    { at: addressOf(path) },
  )
}

test.each(adminRoutes.filter((row) => !screensWithoutReads.includes(row.screen)))(
  '$path: a failed read is announced at the top',
  async (row) => {
    for (const call of calls) answer(call, () => refuse('BUSY'))
    await openScreen(row)
    await waitFor(() => expect(noticeStore.get()).toMatchObject({ severity: 'error' }))
  },
)

test.each([
  ['health', getHostHealth],
  ['figures', getHostFigures],
  ['key', getHostKey],
  ['log', getServerLog],
  ['runs', getHostRuns],
] as const)("a failed read of a host's %s is announced at the top", async (_, failingCall) => {
  answer(getServer, () => aServer())
  answer(getHostHealth, () => aHealth())
  answer(getHostFigures, () => someFigures())
  answer(getHostKey, () => aHostKey())
  answer(getHostRuns, () => ({ items: [aRun()] }))
  answer(getServerLog, () => ({ ansibleLog: '', ansibleState: 'ready' as const }))
  answer(failingCall, () => refuse('BUSY'))
  await openScreen({ path: adminPaths.server, screen: 'server-screen' })
  await waitFor(() => expect(noticeStore.get()).toMatchObject({ severity: 'error' }))
})

test.each([
  { path: adminPaths.server, screen: 'server-screen', list: 'To the servers' },
  { path: adminPaths.changeServer, screen: 'change-server-screen', list: 'To the servers' },
  { path: adminPaths.tunnel, screen: 'tunnel-screen', list: 'To the tunnels' },
  { path: adminPaths.changeTunnel, screen: 'change-tunnel-screen', list: 'To the tunnels' },
  { path: adminPaths.account, screen: 'account-screen', list: 'All accounts' },
  { path: adminPaths.person, screen: 'person-screen', list: 'To all users' },
] as const)(
  '$path: a missing resource links back to its list and offers no retry',
  async ({ list, ...row }) => {
    for (const call of calls) answer(call, () => refuse('RESOURCE_NOT_FOUND'))
    answer(getServers, () => ({ items: [] }))
    answer(getTunnels, () => ({ items: [] }))
    await openScreen(row)
    expect(await screen.findByRole('link', { name: list })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  },
)

const fails = () => noAnswer()
const works = () => someFigures()

test('a failing poll is announced once, and again after a success', async () => {
  answer(getHostFigures, fails)
  const { client } = show(<HostFigures hostUUID={serverUUID} />)
  const poll = async () => {
    const before = callsTo(getHostFigures).length
    await client.invalidateQueries({ queryKey: [getHostFigures.path] })
    expect(callsTo(getHostFigures)).toHaveLength(before + 1)
  }
  await waitFor(() => expect(noticeStore.get()).not.toBeNull())
  resetNotice()
  await poll()
  await screen.findByRole('button', { name: 'Try again' })
  await poll()
  await screen.findByRole('button', { name: 'Try again' })
  expect(noticeStore.get()).toBeNull()

  answer(getHostFigures, works)
  await poll()
  await screen.findByText('Connections now')
  answer(getHostFigures, fails)
  await poll()
  await waitFor(() => expect(noticeStore.get()).not.toBeNull())
  resetNotice()
  await poll()
  expect(noticeStore.get()).toBeNull()
})

test('a failed retry and a reopened screen announce the failure again', async () => {
  answer(getHostFigures, fails)
  const view = show(<HostFigures hostUUID={serverUUID} />)
  await waitFor(() => expect(noticeStore.get()).not.toBeNull())
  resetNotice()
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(noticeStore.get()).not.toBeNull())
  resetNotice()
  view.unmount()
  show(<HostFigures hostUUID={serverUUID} />)
  await waitFor(() => expect(noticeStore.get()).not.toBeNull())
})

test('two components with the same failed read announce it once', async () => {
  let notices = 0
  const leave = noticeStore.subscribe(() => {
    if (noticeStore.get()) notices += 1
  })
  answer(getHostFigures, fails)
  show(
    <>
      <HostFigures hostUUID={serverUUID} />
      <HostFigures hostUUID={serverUUID} />
    </>,
  )
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(2))
  await waitFor(() => expect(notices).toBe(1))
  leave()
})
