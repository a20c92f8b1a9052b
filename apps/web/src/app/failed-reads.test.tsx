import {
  type Call,
  calls,
  clientMessages,
  getHostFigures,
  getHostHealth,
  getHostKey,
  getHostRuns,
  getServerLog,
  getServers,
  getSessions,
  getStatement,
  getTunnels,
  getUser,
  getUserAccounts,
} from '@kelid/contract'
import { act, screen, waitFor } from '@testing-library/react'
import type { ComponentType } from 'react'
import { Route, Routes } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { answerAccounts, answerBalances } from '../../test/accounts.ts'
import { press } from '../../test/actions.ts'
import { answer, callsTo, noAnswer, pageOf, refuse } from '../../test/answers.ts'
import { answerServerPage, serverUUID, someFigures } from '../../test/hosts.ts'
import { show } from '../../test/show.tsx'
import { HostFigures } from '../admin/hosts/detail/host-figures.tsx'
import { adminPaths } from '../admin/paths.ts'
import { adminRoutes } from '../admin/routes.ts'
import { screens as adminScreens } from '../admin/screens.ts'
import { noticeStore, resetNotice } from '../lib/notices.ts'
import { paths } from '../lib/paths.ts'
import { closeSession, openSession } from '../lib/session.ts'
import { screens as resellerScreens } from '../reseller/screens.ts'

const addressOf = (path: string) =>
  path
    .replace(':userEmail', 'sara@kelid.test')
    .replace(':machineIPV4', '192.0.2.10')
    .replace(/:\w+/, serverUUID)

interface Row {
  readonly path: string
  readonly file: () => Promise<Record<string, ComponentType>>
}

async function openScreen({ path, file }: Row) {
  const [Screen] = Object.values(await file())
  if (!Screen) throw new Error(`${path} has no screen`)
  return show(
    <Routes>
      <Route path={path} element={<Screen />} />
    </Routes>,
    { at: addressOf(path) },
  )
}
const errorIsAnnounced = () => waitFor(() => expect(noticeStore.get()).toMatchObject({ severity: 'error' }))

afterEach(() => act(closeSession))

test.each([
  [paths.dashboard, 'dashboard-screen', getUserAccounts, clientMessages.fetchingAccounts],
  [paths.dashboard, 'dashboard-screen', getStatement, 'The statement could not be read'],
  [paths.statement, 'statement-screen', getStatement, 'The statement could not be read'],
  [paths.settings, 'settings-screen', getUser, clientMessages.fetchingUser],
  [paths.settings, 'settings-screen', getSessions, 'Your sessions could not be read'],
] as const)(
  "%s, %s: a failed read is shown in place and announced, with the server's reason if there is one",
  async (path, name, call, text) => {
    const row = { path, file: resellerScreens[name] }
    openSession('t')
    answerBalances()
    answerAccounts([])
    answer(getStatement, () => pageOf([]))
    answer(getUser, () => ({ userEmail: 'reza@example.com', userLevel: 1, userPhone: null, userContact: '' }))
    answer(getSessions, () => ({ items: [] }))
    answer(call as Call, noAnswer)
    const view = await openScreen(row)
    await waitFor(() => expect(screen.getAllByText(text).length).toBeGreaterThan(1))
    view.unmount()
    resetNotice()
    answer(call as Call, () => refuse('BUSY'))
    await openScreen(row)
    expect(await screen.findByText('The server is busy; try again in a moment')).toBeTruthy()
    expect(screen.getAllByText(text)).not.toHaveLength(0)
  },
)

const screensWithoutReads = ['landing-screen']

test.each(adminRoutes.filter((row) => !screensWithoutReads.includes(row.screen)))(
  '$path: a failed read is announced at the top',
  async ({ path, screen: name }) => {
    for (const call of calls) answer(call, () => refuse('BUSY'))
    await openScreen({ path, file: adminScreens[name] })
    await errorIsAnnounced()
  },
)

test.each([
  ['health', getHostHealth],
  ['figures', getHostFigures],
  ['key', getHostKey],
  ['log', getServerLog],
  ['runs', getHostRuns],
] as const)("a failed read of a host's %s is announced at the top", async (_, failingCall) => {
  answerServerPage()
  answer(failingCall as Call, () => refuse('BUSY'))
  await openScreen({ path: adminPaths.server, file: adminScreens['server-screen'] })
  await errorIsAnnounced()
})

test.each([
  [adminPaths.server, 'server-screen', 'To the servers'],
  [adminPaths.changeServer, 'change-server-screen', 'To the servers'],
  [adminPaths.tunnel, 'tunnel-screen', 'To the tunnels'],
  [adminPaths.changeTunnel, 'change-tunnel-screen', 'To the tunnels'],
  [adminPaths.account, 'account-screen', 'All accounts'],
  [adminPaths.person, 'person-screen', 'To all users'],
] as const)('%s: a missing resource links back to its list and offers no retry', async (path, name, list) => {
  for (const call of calls) answer(call, () => refuse('RESOURCE_NOT_FOUND'))
  answer(getServers, () => ({ items: [] }))
  answer(getTunnels, () => ({ items: [] }))
  await openScreen({ path, file: adminScreens[name] })
  expect(await screen.findByRole('link', { name: list })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test('a failing poll is announced once, and again after a success', async () => {
  answer(getHostFigures, noAnswer)
  const { client } = show(<HostFigures hostUUID={serverUUID} />)
  const poll = async () => {
    const before = callsTo(getHostFigures).length
    await client.invalidateQueries({ queryKey: [getHostFigures.path] })
    expect(callsTo(getHostFigures)).toHaveLength(before + 1)
  }
  await errorIsAnnounced()
  resetNotice()
  await poll()
  await screen.findByRole('button', { name: 'Try again' })
  await poll()
  await screen.findByRole('button', { name: 'Try again' })
  expect(noticeStore.get()).toBeNull()

  answer(getHostFigures, () => someFigures())
  await poll()
  await screen.findByText('Connections now')
  answer(getHostFigures, noAnswer)
  await poll()
  await errorIsAnnounced()
  resetNotice()
  await poll()
  expect(noticeStore.get()).toBeNull()
})

test('a failed retry and a reopened screen announce the failure again', async () => {
  answer(getHostFigures, noAnswer)
  const view = show(<HostFigures hostUUID={serverUUID} />)
  await errorIsAnnounced()
  resetNotice()
  await press('Try again')
  await errorIsAnnounced()
  resetNotice()
  view.unmount()
  show(<HostFigures hostUUID={serverUUID} />)
  await errorIsAnnounced()
})

test('two components with the same failed read announce it once', async () => {
  let notices = 0
  const leave = noticeStore.subscribe(() => {
    if (noticeStore.get()) notices += 1
  })
  answer(getHostFigures, noAnswer)
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
