import { getActivity, getDashboard, getServers, getTunnels, getUsers, type Language } from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, callsTo, noAnswer, pageOf, refuse } from '../../../test/answers.ts'
import { serverUUID } from '../../../test/hosts.ts'
import { show } from '../../../test/show.tsx'
import { emitLiveEvent } from '../../shared/events/live-events.ts'
import { brokenBoard, calmBoard, month } from '../dashboard/board/board.fixture.ts'
import { DashboardScreen } from './dashboard-screen.tsx'
import { MoneyScreen } from './money-screen.tsx'
import { ServersScreen } from './servers-screen.tsx'
import { TunnelsScreen } from './tunnels-screen.tsx'

function open(board = calmBoard, language: Language = 'en') {
  answer(getDashboard, () => board)
  answer(getActivity, () => month)
  return show(<DashboardScreen />, { language })
}

const hrefOf = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href')

test('a healthy board says so, and its figures link to their lists', async () => {
  open()
  expect(await screen.findByText('Everything is running.')).toBeTruthy()
  expect(hrefOf('6 servers are ready')).toBe('/admin/vpn/servers/?state=ready')
  expect(hrefOf('3 tunnels are ready')).toBe('/admin/vpn/tunnels/?state=ready')
  expect(screen.getByText('The ledger and the audit log were checked and are sound.')).toBeTruthy()
  expect(hrefOf('1,204')).toBe('/admin/management/people/')
  expect(hrefOf('including 2 administrators')).toBe('/admin/management/people/?filter=admins')
  expect(hrefOf('8,120')).toBe('/admin/management/accounts/?state=active')
  expect(screen.getByText('Nobody owes anything.')).toBeTruthy()
  expect(hrefOf('Ledger')).toBe('/admin/management/ledger/')
  expect(hrefOf('Audit log')).toBe('/admin/management/audit/')
})

test.each([
  ['Created', '/admin/management/accounts/'],
  ['Renewed', '/admin/management/ledger/'],
  ['Points sold', '/admin/management/ledger/'],
  ['Expiring', '/admin/management/accounts/?state=active&sort=accountExpireDate'],
])('the total of the chart "%s" links to its list', async (title, path) => {
  open()
  const chart = await screen.findByRole('figure', { name: new RegExp(`^${title}`) })
  expect(
    within(chart)
      .getByRole('link', { name: /in total/ })
      .getAttribute('href'),
  ).toBe(path)
})

test('a late job and an unsound ledger link to their lists', async () => {
  const lateJobs = ['expiry', 'probe', 'ledger', 'runs', 'audit'].map((name) => ({
    name,
    lastSuccessDate: null,
  }))
  open({ ...calmBoard, ledgerFindings: 2, ledgerIsSound: false, lateJobs })
  const section = await screen.findByRole('region', { name: 'Needs attention' })
  expect(
    within(section)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual([
    '/admin/management/ledger/',
    '/admin/management/accounts/?state=expired',
    '/admin/vpn/servers/',
    '/admin/management/ledger/',
    '/admin/vpn/servers/',
    '/admin/management/audit/',
  ])
})

test('without a server nothing is called healthy, and a link to add one is shown', async () => {
  open({ ...calmBoard, servers: { queued: 0, provisioning: 0, ready: 0, failed: 0 } })
  expect(await screen.findByText('There is no server yet. Add one to sell accounts.')).toBeTruthy()
  expect(hrefOf('Add server')).toBe('/admin/vpn/servers/add/')
  expect(screen.queryByText('Everything is running.')).toBeNull()
})

test('unchecked books are not called sound', async () => {
  open({ ...calmBoard, auditIsSound: null, ledgerIsSound: null })
  expect(await screen.findByText('The ledger and the audit log have not been checked yet.')).toBeTruthy()
})

test('problems come first, with counts and links to their lists', async () => {
  open(brokenBoard)
  const section = await screen.findByRole('region', { name: 'Needs attention' })
  expect(
    within(section)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    '2 servers could not be set up',
    '1 tunnel could not be set up',
    '1 server is down',
    "The ledger does not add up: 12 problems, see the server's log",
    'The audit log has been tampered with',
    'No capacity for new accounts: servers, trojan behind wstunnel',
    '1 host is full: servers, hysteria2-direct',
    '1 host is nearly full: servers, hysteria2-direct',
    '4 ready tunnels have neither reported nor been reached yet',
    'Overdue: expiring accounts, last run 3 hours ago · Open the list',
    'Overdue: newest, never run so far',
  ])
  expect(hrefOf('2 servers could not be set up')).toBe('/admin/vpn/servers/?state=failed')
  expect(hrefOf('1 tunnel could not be set up')).toBe('/admin/vpn/tunnels/?state=failed')
  expect(hrefOf('The audit log has been tampered with')).toBe('/admin/management/audit/')
  expect(screen.queryByText('Everything is running.')).toBeNull()
})

test('the failure of a run is shown as text until its host is repaired', async () => {
  open(brokenBoard)
  expect(await screen.findByText('<b>unreachable</b>')).toBeTruthy()
  expect(hrefOf('fra-1')).toBe('/admin/vpn/server/11111111-1111-4111-8111-111111111111/')
  expect(screen.queryByText('made good since')).toBeNull()
})

test('debt is grouped by age and links to the debtors', async () => {
  open(brokenBoard)
  const table = await screen.findByRole('table', { name: 'Debt outstanding' })
  expect(
    within(table)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual([
    'Owed forUsersAmount',
    'less than 7 days2$10.50',
    '7 to 30 days0$0.00',
    '30 to 90 days1$200.00',
    '90 days and more3$100.00',
  ])
  expect(hrefOf('$310.50')).toBe('/admin/management/debt/?filter=debtors')
})

const lists = [
  { at: '/admin/vpn/servers/', list: <ServersScreen />, call: getServers },
  { at: '/admin/vpn/tunnels/', list: <TunnelsScreen />, call: getTunnels },
  { at: '/admin/management/debt/', list: <MoneyScreen />, call: getUsers },
]

const hysteria = { serverVPNType: 'hysteria2-direct' }
const trojanBehindWstunnel = { serverVPNType: 'trojan', serverTunnelType: 'wstunnel' }
const silent = { state: 'ready', health: 'unknown' }

test.each([
  ['85%', getServers, { sort: '-serverAccounts' }],
  ['No capacity for new accounts: servers, trojan behind wstunnel', getServers, trojanBehindWstunnel],
  ['1 host is full: servers, hysteria2-direct', getServers, { room: 'full', ...hysteria }],
  ['1 host is nearly full: servers, hysteria2-direct', getServers, { room: 'nearlyFull', ...hysteria }],
  ['5 hosts are full: tunnels, ssh', getTunnels, { room: 'full', tunnelType: 'ssh' }],
  ['2 servers could not be set up', getServers, { state: 'failed' }],
  ['1 server is down', getServers, { state: 'ready', health: 'down' }],
  ['2 ready servers have neither reported nor been reached yet', getServers, silent],
  ['0%', getTunnels, { sort: '-tunnelAccounts' }],
  ['3 tunnels are down', getTunnels, { state: 'ready', health: 'down' }],
  ['4 ready tunnels have neither reported nor been reached yet', getTunnels, silent],
  ['$310.50', getUsers, { filter: 'debtors' }],
  ['21', getUsers, { filter: 'debt-week' }],
  ['22', getUsers, { filter: 'debt-month' }],
  ['23', getUsers, { filter: 'debt-quarter' }],
  ['24', getUsers, { filter: 'debt-older' }],
])('"%s" links to its list', async (name, call, body) => {
  const debtByAge = brokenBoard.debtByAge.map((row, index) => ({ ...row, users: 21 + index }))
  const tunnels = { subject: 'tunnel', type: 'ssh', tunnelType: '' } as const
  const rooms = [
    ...brokenBoard.rooms,
    { ...tunnels, hosts: 9, full: 5, nearlyFull: 0, capacity: 90, accounts: 60 },
  ]
  const { unmount } = open({ ...brokenBoard, silentServers: 2, downTunnels: 3, debtByAge, rooms })
  await screen.findByRole('region', { name: 'Needs attention' })
  const href = hrefOf(name) ?? ''
  unmount()
  const { at, list } = lists.find((one) => one.call === call) ?? {}
  expect(href.split('?')[0]).toBe(at)
  for (const one of lists) answer(one.call, () => pageOf([]))
  show(list, { at: href })
  await waitFor(() => expect(callsTo(call).at(-1)?.body).toMatchObject(body))
})

test('points sold link to their chart, and both are refreshed together', async () => {
  open()
  const chart = await screen.findByRole('figure', { name: /^Points sold/ })
  expect(hrefOf('77,300')).toBe(`#${chart.id}`)
  emitLiveEvent({ type: 'server', serverUUID: 'a', state: 'ready' })
  await waitFor(() => expect([callsTo(getDashboard).length, callsTo(getActivity).length]).toEqual([2, 2]))
})

test('a chart has a summary and a table', async () => {
  open()
  expect(
    await screen.findByRole('img', {
      name: 'Created, last 30 days: 435 in total, peak on November 16 with 29',
    }),
  ).toBeTruthy()
  expect(screen.getByRole('img', { name: 'Renewed, last 30 days: none' })).toBeTruthy()
  await userEvent.click(screen.getAllByText('Show as table')[0] as HTMLElement)
  const table = screen.getByRole('table', { name: 'Created, last 30 days' })
  expect(within(table).getAllByRole('row')).toHaveLength(31)
  expect(within(table).getByRole('row', { name: 'November 16 29' })).toBeTruthy()
})

test('words, digits and calendar are Persian', async () => {
  open(brokenBoard, 'fa')
  expect(await screen.findByText('راه‌اندازی ۲ سرور ناموفق بود')).toBeTruthy()
  expect(screen.getByText('برای اکانت تازه جا نیست: سرورهای trojan پشت wstunnel')).toBeTruthy()
  expect(
    await screen.findByRole('img', {
      name: 'ساخته‌شده، ۳۰ روز گذشته: در کل ۴۳۵، بیشترین در ۲۵ آبان با ۲۹',
    }),
  ).toBeTruthy()
})

test('changes of many servers refresh the board once', async () => {
  open()
  await screen.findByText('Everything is running.')
  answer(getDashboard, () => brokenBoard)
  for (const state of ['queued', 'provisioning', 'failed'] as const)
    emitLiveEvent({ type: 'server', serverUUID: 'a', state })
  expect(await screen.findByText('2 servers could not be set up')).toBeTruthy()
  expect(callsTo(getDashboard)).toHaveLength(2)
})

test('a failed board can be retried, and the chart is a separate read', async () => {
  answer(getDashboard, () => refuse('BUSY'))
  answer(getActivity, noAnswer)
  show(<DashboardScreen />)
  expect(await screen.findAllByText('The dashboard could not be read.')).toBeTruthy()
  expect(await screen.findAllByText('The figures by day could not be read.')).toBeTruthy()
  answer(getDashboard, () => calmBoard)
  await userEvent.click(screen.getAllByRole('button', { name: 'Try again' })[0] as HTMLElement)
  await waitFor(() => expect(screen.getByText('Everything is running.')).toBeTruthy())
})

test('hosts of another CA are explained, and nothing is called healthy', async () => {
  const lastDate = new Date(Date.now() - 60_000).toISOString()
  const fingerprint = 'ab'.repeat(32)
  open({ ...calmBoard, strangeAuthorities: [{ fingerprint, hosts: 3, lastDate }] })
  const section = await screen.findByRole('region', { name: 'Hosts of another certificate authority' })
  expect(within(section).getByText(/If this database is new or replaced another/)).toBeTruthy()
  expect(within(section).getByText('npm run kelid -- restore FILE').getAttribute('dir')).toBe('ltr')
  expect(within(section).getByRole('listitem').textContent).toContain('3 hosts')
  expect(within(section).getByText(Array(32).fill('AB').join(':')).getAttribute('dir')).toBe('ltr')
  expect(within(section).getByRole('link', { name: 'Servers' }).getAttribute('href')).toBe(
    '/admin/vpn/servers/',
  )
  expect(screen.queryByText('Everything is running.')).toBeNull()
})

test('a host with rejected reports is shown with a harmless cause', async () => {
  const date = new Date(Date.now() - 60_000).toISOString()
  const alert = {
    subject: 'server',
    uuid: serverUUID,
    name: 'fra-1',
    sinceDate: date,
    lastDate: date,
  } as const
  const hostAlerts = [
    { ...alert, alert: 'abuse', count: 37 } as const,
    { ...alert, alert: 'devices', count: 38 } as const,
  ]
  open({ ...calmBoard, hostAlerts })
  const region = await screen.findByRole('region', { name: 'Hosts with suspicious reports' })
  expect(
    within(region).getByText(/^It reported 37 more accounts as shared.*Customers may really share/),
  ).toBeTruthy()
  expect(
    within(region).getByText(/^It reported 38 more device addresses.*Customers may really share/),
  ).toBeTruthy()
  expect(within(region).getByText(/^If there is no harmless cause, the host may be compromised/)).toBeTruthy()
  expect(within(region).getByText('2 entries')).toBeTruthy()
  for (const link of within(region).getAllByRole('link', { name: 'fra-1' }))
    expect(link.getAttribute('href')).toContain(serverUUID)
  expect(screen.queryByText('Everything is running.')).toBeNull()
})

test('a host that keeps accounts missing from its list is shown with the reason, and nothing is called healthy', async () => {
  const refused = { subject: 'server', uuid: serverUUID, name: 'fra-1', refusedList: 'smaller' } as const
  open({ ...calmBoard, refusingHosts: [{ ...refused, sinceDate: '2020-12-20T10:00:00.000Z' }] })
  expect(await screen.findByText(/accounts that nobody has deleted or moved/)).toBeTruthy()
  expect(hrefOf('fra-1')).toContain(serverUUID)
  expect(screen.queryByText('Everything is running.')).toBeNull()
})
