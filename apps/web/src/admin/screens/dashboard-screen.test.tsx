import { getActivity, getDashboard, getServers, getTunnels, getUsers, type Language } from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { hrefOf, user } from '../../../test/actions.ts'
import { answer, callsTo, noAnswer, pageOf, refuse } from '../../../test/answers.ts'
import { serverUUID } from '../../../test/hosts.ts'
import { show } from '../../../test/show.tsx'
import { emitLiveEvent } from '../../shared/events/live-events.ts'
import { brokenBoard, calmBoard, month } from '../dashboard/board/board.fixture.ts'
import words from '../dashboard/words/fa.json' with { type: 'json' }
import { DashboardScreen } from './dashboard-screen.tsx'
import { MoneyScreen } from './money-screen.tsx'
import { ServersScreen } from './servers-screen.tsx'
import { TunnelsScreen } from './tunnels-screen.tsx'

function open(board = calmBoard, language: Language = 'en') {
  answer(getDashboard, () => board)
  answer(getActivity, () => month)
  return show(<DashboardScreen />, { language })
}

const attention = async () => within(await screen.findByRole('region', { name: 'Needs attention' }))
const isCalledHealthy = () => screen.queryByText('Everything is running.') !== null

test('a healthy board says so, and its figures link to their lists', async () => {
  open()
  expect(await screen.findByText('Everything is running.')).toBeTruthy()
  expect(screen.getByText('The ledger and the audit log were checked and are sound.')).toBeTruthy()
  expect(screen.getByText('Nobody owes anything.')).toBeTruthy()
  const links = {
    '6 servers are ready': '/admin/vpn/servers/?state=ready',
    '3 tunnels are ready': '/admin/vpn/tunnels/?state=ready',
    '1,204': '/admin/management/people/',
    'including 2 administrators': '/admin/management/people/?filter=admins',
    '8,120': '/admin/management/accounts/?state=active',
    Ledger: '/admin/management/ledger/',
    'Audit log': '/admin/management/audit/',
  }
  for (const [name, path] of Object.entries(links)) expect(hrefOf(name)).toBe(path)
})

test('the total of each chart links to its list', async () => {
  open()
  const links = {
    Created: '/admin/management/accounts/',
    Renewed: '/admin/management/ledger/',
    'Points sold': '/admin/management/ledger/',
    Expiring: '/admin/management/accounts/?state=active&sort=accountExpireDate',
  }
  for (const [title, path] of Object.entries(links)) {
    const chart = await screen.findByRole('figure', { name: new RegExp(`^${title}`) })
    expect(hrefOf(/in total/, chart)).toBe(path)
  }
})

test('a late job and an unsound ledger link to their lists', async () => {
  const lateJobs = ['expiry', 'probe', 'ledger', 'runs', 'audit'].map((name) => ({
    name,
    lastSuccessDate: null,
  }))
  open({ ...calmBoard, ledgerFindings: 2, ledgerIsSound: false, lateJobs })
  const links = (await attention()).getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/admin/management/ledger/',
    '/admin/management/accounts/?state=expired',
    '/admin/vpn/servers/',
    '/admin/management/ledger/',
    '/admin/vpn/servers/',
    '/admin/management/audit/',
  ])
})

test.each([
  ['en', [/old-1\u2069 ends · .*: overdue for 3 days$/, /: today$/, /: in 5 days$/]],
  ['fa', [/^میزبانی \u2068old-1.*: ۳ روز گذشته است$/, /: امروز$/, /: ۵ روز دیگر$/]],
] as const)(
  'hosting that ends soon or has ended is listed with its server, in %s',
  async (language, texts) => {
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const ending = (uuid: string, days: number) => ({ uuid, name: 'old-1', expireDate: at(days) })
    open({ ...calmBoard, endingServers: [ending(serverUUID, -3), ending('b', 0), ending('c', 5)] }, language)
    const title = language === 'en' ? 'Needs attention' : words.board.broken
    const rows = within(await screen.findByRole('region', { name: title })).getAllByRole('listitem')
    expect(rows).toHaveLength(3)
    for (const [index, text] of texts.entries()) expect(rows[index]?.textContent).toMatch(text)
    expect(hrefOf(/old-1/, rows[0])).toBe(`/admin/vpn/server/${serverUUID}/`)
  },
)

test('hosts near or past the quota of their provider are listed, each with its page', async () => {
  const tight = (uuid: string, quotaState: 'low' | 'exhausted', quotaUsed: number) => ({
    ...{ subject: 'server' as const, uuid, name: 'fra-1', quotaState, quota: 10, quotaUsed },
    quotaEndDate: '2026-12-05T00:00:00.000Z',
  })
  open({
    ...calmBoard,
    tightQuotas: [tight(serverUUID, 'exhausted', 10.1e9), tight('b', 'low', 9.999e9)],
  })
  const rows = (await attention()).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent?.replace(/[\u2068\u2069]/g, ''))).toEqual([
    'Traffic quota of fra-1 · used up, no new accounts until December 5, 2026',
    'Traffic quota of fra-1 · 99% used, until December 5, 2026',
  ])
  expect(hrefOf(/fra-1/, rows[0])).toBe(`/admin/vpn/server/${serverUUID}/`)
  expect(isCalledHealthy()).toBe(false)
})

test('without a server nothing is called healthy, and a link to add one is shown', async () => {
  open({ ...calmBoard, servers: { queued: 0, provisioning: 0, ready: 0, failed: 0 } })
  expect(await screen.findByText('There is no server yet. Add one to sell accounts.')).toBeTruthy()
  expect(hrefOf('Add server')).toBe('/admin/vpn/servers/add/')
  expect(isCalledHealthy()).toBe(false)
})

test('an unchecked ledger and audit log are not called sound', async () => {
  open({ ...calmBoard, auditIsSound: null, ledgerIsSound: null })
  expect(await screen.findByText('The ledger and the audit log have not been checked yet.')).toBeTruthy()
})

test('problems come first, with counts, failures as text until their host is repaired, and debt by age', async () => {
  open(brokenBoard)
  const problems = (await attention()).getAllByRole('listitem')
  expect(problems.map((item) => item.textContent)).toEqual([
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
  expect(hrefOf('The audit log has been tampered with')).toBe('/admin/management/audit/')
  expect(isCalledHealthy()).toBe(false)
  expect(screen.getByText('<b>unreachable</b>')).toBeTruthy()
  expect(hrefOf('fra-1')).toBe('/admin/vpn/server/11111111-1111-4111-8111-111111111111/')
  expect(screen.queryByText('made good since')).toBeNull()
  const debts = within(screen.getByRole('table', { name: 'Debt outstanding' })).getAllByRole('row')
  expect(debts.map((row) => row.textContent)).toEqual([
    'Owed forUsersAmount',
    'less than 7 days2$10.50',
    '7 to 30 days0$0.00',
    '30 to 90 days1$200.00',
    '90 days and more3$100.00',
  ])
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
  ['1 tunnel could not be set up', getTunnels, { state: 'failed' }],
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
  await attention()
  const href = hrefOf(name) ?? ''
  unmount()
  const { at, list } = lists.find((one) => one.call === call) ?? {}
  expect(href.split('?')[0]).toBe(at)
  for (const one of lists) answer(one.call, () => pageOf([]))
  show(list, { at: href })
  await waitFor(() => expect(callsTo(call).at(-1)?.body).toMatchObject(body))
})

test('a chart has a summary and a table', async () => {
  open()
  const summary = 'Created, last 30 days: 435 in total, peak on November 16 with 29'
  expect(await screen.findByRole('img', { name: summary })).toBeTruthy()
  expect(screen.getByRole('img', { name: 'Renewed, last 30 days: none' })).toBeTruthy()
  await user.click(screen.getAllByText('Show as table')[0] as HTMLElement)
  const table = screen.getByRole('table', { name: 'Created, last 30 days' })
  expect(within(table).getAllByRole('row')).toHaveLength(31)
  expect(within(table).getByRole('row', { name: 'November 16 29' })).toBeTruthy()
})

test('words, digits and calendar are Persian', async () => {
  open(brokenBoard, 'fa')
  expect(await screen.findByText('راه‌اندازی ۲ سرور ناموفق بود')).toBeTruthy()
  const summary = 'ساخته‌شده، ۳۰ روز گذشته: در کل ۴۳۵، بیشترین در ۲۵ آبان با ۲۹'
  expect(await screen.findByRole('img', { name: summary })).toBeTruthy()
})

test('changes of many servers refresh the board and its charts once', async () => {
  open()
  await screen.findByText('Everything is running.')
  answer(getDashboard, () => brokenBoard)
  for (const state of ['queued', 'provisioning', 'failed'] as const)
    emitLiveEvent({ type: 'server', serverUUID: 'a', state })
  expect(await screen.findByText('2 servers could not be set up')).toBeTruthy()
  await waitFor(() => expect([callsTo(getDashboard).length, callsTo(getActivity).length]).toEqual([2, 2]))
})

test('a failed board can be retried, and the chart is a separate read', async () => {
  answer(getDashboard, () => refuse('BUSY'))
  answer(getActivity, noAnswer)
  show(<DashboardScreen />)
  expect(await screen.findAllByText('The dashboard could not be read.')).toBeTruthy()
  expect(await screen.findAllByText('The figures by day could not be read.')).toBeTruthy()
  answer(getDashboard, () => calmBoard)
  await user.click(screen.getAllByRole('button', { name: 'Try again' })[0] as HTMLElement)
  await waitFor(() => expect(isCalledHealthy()).toBe(true))
})

const date = new Date(Date.now() - 60_000).toISOString()
const host = { subject: 'server', uuid: serverUUID, name: 'fra-1', sinceDate: date, lastDate: date } as const

test('hosts of another CA are explained', async () => {
  open({ ...calmBoard, strangeAuthorities: [{ fingerprint: 'ab'.repeat(32), hosts: 3, lastDate: date }] })
  const section = await screen.findByRole('region', { name: 'Hosts of another certificate authority' })
  const { getByText, getByRole } = within(section)
  expect(getByText(/If this database is new or replaced another/)).toBeTruthy()
  expect(getByText('npm run kelid -- restore FILE').dir).toBe('ltr')
  expect(getByRole('listitem').textContent).toContain('3 hosts')
  expect(getByText(Array(32).fill('AB').join(':')).dir).toBe('ltr')
  expect(hrefOf('Servers', section)).toBe('/admin/vpn/servers/')
  expect(isCalledHealthy()).toBe(false)
})

test('a host with rejected reports is shown with a harmless cause', async () => {
  const hostAlerts = [
    { ...host, alert: 'abuse', count: 37 } as const,
    { ...host, alert: 'devices', count: 38 } as const,
  ]
  open({ ...calmBoard, hostAlerts })
  const { getByText, getAllByRole } = within(
    await screen.findByRole('region', { name: 'Hosts with suspicious reports' }),
  )
  for (const text of [
    /^It reported 37 more accounts as shared.*Customers may really share/,
    /^It reported 38 more device addresses.*Customers may really share/,
    /^If there is no harmless cause, the host may be compromised/,
    '2 entries',
  ])
    expect(getByText(text)).toBeTruthy()
  for (const link of getAllByRole('link', { name: 'fra-1' }))
    expect(link.getAttribute('href')).toContain(serverUUID)
  expect(isCalledHealthy()).toBe(false)
})

test('troubles of hosts are shown with their detail, and a repaired one says so', async () => {
  const hostTroubles = [
    { ...host, trouble: 'disk', detail: '/var/log: 3 MB free', repaired: false } as const,
    { ...host, trouble: 'firewall', detail: '', repaired: true } as const,
  ]
  open({ ...calmBoard, hostTroubles })
  const section = within(await screen.findByRole('region', { name: 'Troubles on hosts' }))
  expect(section.getByText('/var/log: 3 MB free').dir).toBe('ltr')
  const items = section.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(items[0]).toContain('A disk is nearly full.')
  expect(items[1]).toMatch(/The firewall rules were missing.*The agent repaired it\.$/)
  expect(isCalledHealthy()).toBe(false)
})

test('a site that a server shows strangers and that has a problem is named with it', async () => {
  const trouble = { ...host, target: 'www.shop.example', targetProblems: ['NO_H2' as const] }
  open({ ...calmBoard, targetTroubles: [trouble] })
  const section = within(await screen.findByRole('region', { name: 'Needs attention' }))
  const line = section.getByRole('listitem')
  expect(line.textContent).toMatch(
    /fra-1.* shows strangers has a problem · www\.shop\.example · It has no HTTP\/2\.$/,
  )
  expect(section.getByRole('link').getAttribute('href')).toContain(serverUUID)
  expect(isCalledHealthy()).toBe(false)
})

test('a host that keeps accounts missing from its list is shown with the reason', async () => {
  open({ ...calmBoard, refusingHosts: [{ ...host, refusedList: 'smaller' }] })
  expect(await screen.findByText(/accounts that nobody has deleted or moved/)).toBeTruthy()
  expect(hrefOf('fra-1')).toContain(serverUUID)
  expect(isCalledHealthy()).toBe(false)
})

test('hosts that are down with customers link to the dialog that replaces them, and running replacements to the host', async () => {
  const down = { ...host, accounts: 214 }
  const replacing = { ...host, name: 'fra-2', reason: 'blocked', moved: 300, left: 41, stuck: 2 } as const
  open({
    ...calmBoard,
    replaceableHosts: [down],
    replacements: [
      { ...replacing, onlyBlocked: false },
      { ...replacing, onlyBlocked: true },
    ],
  })
  const section = within(await screen.findByRole('region', { name: 'Down, with customers' }))
  expect(section.getByText(/214 accounts there could get other hosts/)).toBeTruthy()
  expect(hrefOf('Replace this host')).toBe(`/admin/vpn/server/${serverUUID}/?act=replace`)
  const running = within(screen.getByRole('region', { name: 'Accounts that get other hosts' }))
  expect(running.getByText('300 moved, 41 still to go, 2 without a free place')).toBeTruthy()
  expect(running.getByText(/^For customers for whom it is blocked: 300 moved/)).toBeTruthy()
  for (const link of running.getAllByRole('link', { name: 'fra-2' }))
    expect(link.getAttribute('href')).toBe(`/admin/vpn/server/${serverUUID}/`)
  expect(isCalledHealthy()).toBe(false)
})
