import {
  adjustUserDebt,
  day,
  debtAges,
  editHost,
  getActivity,
  getDashboard,
  getServers,
  getTunnels,
  getUsers,
  newAccount,
  provisionServer,
  setHostPaused,
  setServerReady,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import type { Body } from '../../../test/calls.ts'
import { productForEachTest, runOf } from '../../../test/product.ts'
import { directAccount, trojanServer } from '../../../test/sample-hosts.ts'
import { regularJobs } from '../../jobs/regular.ts'
import { runRegular } from '../../jobs/worker.ts'
import { provision } from '../provisioning/provision.job.ts'

const product = productForEachTest()

/** Opens a session of its own, because the tests move the clock. */
const board = async () => await (await product.again(product.admin)).ask(getDashboard, {})
const runAll = async () => {
  for (const job of regularJobs) await runRegular(product.ctx, job)
}

test('a new installation has no problems', async () => {
  expect(await board()).toMatchObject({
    lateJobs: [],
    rooms: [],
    ledgerFindings: 0,
    auditIsSound: null,
    downServers: 0,
    silentServers: 0,
    downTunnels: 0,
    silentTunnels: 0,
    pointsSold: 0,
    debtByAge: debtAges.map((age) => ({ age, users: 0, debt: 0 })),
  })
})

test('ready hosts are down after a minute without a heartbeat and silent without any; the lists have the same hosts', async () => {
  const server = await product.server()
  const quiet = await product.server()
  const tunnel = await product.tunnel()
  const listed = async (health: 'up' | 'down' | 'unknown', state?: 'ready') => {
    const admin = await product.again(product.admin)
    const servers = await admin.ask(getServers, { health, state })
    const tunnels = await admin.ask(getTunnels, { health, state })
    expect([servers.total, tunnels.total]).toEqual([servers.items.length, tunnels.items.length])
    return [
      ...servers.items.map(({ serverUUID }) => serverUUID),
      ...tunnels.items.map(({ tunnelUUID }) => tunnelUUID),
    ]
  }
  await product.setRow('servers', server, { last_seen_at: product.clock.now() })
  expect(await board()).toMatchObject({ downServers: 0, silentServers: 1, downTunnels: 0, silentTunnels: 1 })
  expect(await listed('up', 'ready')).toEqual([server])
  expect(await listed('unknown', 'ready')).toEqual([quiet, tunnel])
  product.clock.advance(60_000)
  expect(await board()).toMatchObject({ downServers: 1, silentServers: 1 })
  expect(await listed('down', 'ready')).toEqual([server])
  await product.setRow('servers', server, { state: 'failed', accounts: 1 })
  expect(await board()).toMatchObject({ downServers: 0, silentServers: 1 })
  expect(await listed('down', 'ready')).toEqual([])
  expect(await listed('down')).toEqual([server])
})

test('the dashboard has full and nearly full hosts by type; the lists have the same hosts', async () => {
  const buyer = await product.person({ points: 100_000 })
  const one = await product.server({ serverMaxAccounts: 1 })
  const none = await product.server({ serverMaxAccounts: 0 })
  await product.server({ ...trojanServer(), serverMaxAccounts: 0, serverTunnelType: 'ssh' })
  await product.server(trojanServer())
  await product.tunnel()
  const tunnel = await product.tunnel({ tunnelType: 'ssh', tunnelMaxAccounts: 0 })
  const ten = await product.server({ serverMaxAccounts: 10 })
  for (let count = 0; count < 10; count += 1) await buyer.ask(newAccount, directAccount)
  const { accounts } = await product.row('servers', ten)
  expect(accounts).toBe(9)
  expect((await board()).rooms).toEqual([
    {
      subject: 'server',
      type: 'hysteria2-direct',
      tunnelType: '',
      hosts: 3,
      full: 2,
      nearlyFull: 1,
      capacity: 11,
      accounts: 10,
    },
    expect.objectContaining({ subject: 'server', type: 'trojan', tunnelType: 'ssh', hosts: 1, full: 1 }),
    expect.objectContaining({ subject: 'server', type: 'trojan', tunnelType: 'wstunnel', hosts: 1, full: 0 }),
    expect.objectContaining({ subject: 'tunnel', type: 'ssh', tunnelType: '', hosts: 1, full: 1 }),
    expect.objectContaining({ subject: 'tunnel', type: 'wstunnel', tunnelType: '', hosts: 1, nearlyFull: 0 }),
  ])

  const servers = async (body: Body<typeof getServers>) =>
    (await product.admin.ask(getServers, body)).items.map(({ serverUUID }) => serverUUID)
  const tunnels = async (body: Body<typeof getTunnels>) =>
    (await product.admin.ask(getTunnels, body)).items.map(({ tunnelUUID }) => tunnelUUID)
  const direct = { serverVPNType: 'hysteria2-direct', sort: 'serverName' } as const
  expect((await servers({ ...direct, room: 'full' })).toSorted()).toEqual([one, none].toSorted())
  expect(await servers({ ...direct, room: 'nearlyFull' })).toEqual([ten])
  expect(await servers({ room: 'full', serverVPNType: 'trojan', serverTunnelType: 'ssh' })).toHaveLength(1)
  expect(await servers({ room: 'full', serverVPNType: 'trojan', serverTunnelType: 'wstunnel' })).toEqual([])
  expect(await servers({ serverVPNType: 'trojan' })).toHaveLength(2)
  expect(await tunnels({ room: 'full' })).toEqual([tunnel])
  expect(await tunnels({ room: 'full', tunnelType: 'wstunnel' })).toEqual([])
  await product.admin.ask(setHostPaused, { hostUUID: none, hostPaused: true })
  expect(await servers({ ...direct, room: 'full' })).toEqual([one])
})

test('a type has no room when all its hosts are paused', async () => {
  const serverUUID = await product.server()
  const none = { hosts: 0, full: 0, nearlyFull: 0, capacity: 0, accounts: 0 }
  const admin = product.admin
  await admin.ask(setHostPaused, { hostUUID: serverUUID, hostPaused: true })
  expect((await board()).rooms).toMatchObject([none])
})

test('a regular job that has not succeeded for too long is named, one that never did too', async () => {
  await runAll()
  expect((await board()).lateJobs).toEqual([])
  const before = product.clock.now().toISOString()
  product.clock.advance(6 * 60_000)
  const others = ['runs', 'data', 'probe', 'quotas', 'replacements', 'rollout'].map((name) => ({
    name,
    lastSuccessDate: before,
  }))
  const late = async () => (await board()).lateJobs.sort((a, b) => a.name.localeCompare(b.name))
  const sorted = (expiry: string | null) =>
    [{ name: 'expiry', lastSuccessDate: expiry }, ...others].sort((a, b) => a.name.localeCompare(b.name))
  expect(await late()).toEqual(sorted(before))
  await product.sql(`DELETE FROM job_marks WHERE name = 'expiry'`)
  expect(await late()).toEqual(sorted(null))
  product.clock.advance(3 * 60 * 60_000)
  expect((await board()).lateJobs.map(({ name }) => name).sort()).toEqual([
    'data',
    'expiry',
    'ledger',
    'probe',
    'purge',
    'quotas',
    'replacements',
    'rollout',
    'runs',
    'targets',
  ])
})

test('the dashboard has the counts and when each job last succeeded', async () => {
  await product.server()
  const buyer = await product.person({ points: 300 })
  await buyer.ask(newAccount, directAccount)
  await runAll()
  const users = await product.admin.ask(getUsers, { limit: 200 })
  const { accounts, servers, ...rest } = await board()
  expect(accounts).toEqual({ active: 1, limited: 0, disabled: 0, expired: 0, abused: 0 })
  expect(servers.ready).toBe(1)
  expect(rest).toMatchObject({
    users: users.items.length,
    serverCapacity: 100,
    serverAccounts: 1,
    tunnelCapacity: 0,
    ledgerIsSound: true,
    lastExpiryDate: product.clock.now().toISOString(),
  })
})

test('books that do not add up are counted by the next check', async () => {
  const { id } = await product.person({ points: 5 })
  await product.sql('UPDATE users SET points = 6 WHERE id = $1', id)
  await runAll()
  expect(await board()).toMatchObject({ ledgerIsSound: false, ledgerFindings: 1 })
})

test('debt is as old as the purchase or the entry that made it from nothing', async () => {
  await product.server()
  const old = await product.person({ debtLimit: 100 })
  const paidAndAgain = await product.person({ debtLimit: 100 })
  for (const person of [old, paidAndAgain]) await person.ask(newAccount, directAccount)
  expect((await board()).debtByAge[0]).toEqual({ age: 'week', users: 2, debt: 6 })
  expect((await board()).pointsSold).toBe(600)

  product.clock.advance(7 * day)
  const owing = async () => {
    const admin = await product.again(product.admin)
    const lists = debtAges.map(async (age) => await admin.ask(getUsers, { filter: `debt-${age}` }))
    return (await Promise.all(lists)).map(({ items, total }) => {
      expect(total).toBe(items.length)
      return items.map(({ userEmail }) => userEmail)
    })
  }
  const later = await product.again(product.admin)
  expect((await owing()).map(({ length }) => length)).toEqual([0, 2, 0, 0])
  expect((await board()).debtByAge[1]).toEqual({ age: 'month', users: 2, debt: 6 })
  const { email } = paidAndAgain
  for (const amount of [-3, 1.25, 0.25])
    await later.ask(adjustUserDebt, { userEmail: email, amount, reason: 'settled' })
  product.clock.advance(23 * day)
  const after = await board()
  expect(after.debtByAge.map(({ users, debt }) => [users, debt])).toEqual([
    [0, 0],
    [1, 1.5],
    [1, 3],
    [0, 0],
  ])
  expect(await owing()).toEqual([[], [email], [old.email], []])
  product.clock.advance(60 * day)
  expect((await board()).debtByAge.map(({ users }) => users)).toEqual([0, 0, 1, 1])
  expect(await owing()).toEqual([[], [], [email], [old.email]])
  expect((await board()).pointsSold).toBe(0)
})

test('points sold are those of the chart beside them: of thirty days from midnight on', async () => {
  await product.server()
  const person = await product.person({ points: 100_000 })
  for (const date of ['2026-03-10T09:00:00Z', '2026-03-11T09:00:00Z']) {
    product.clock.set(new Date(date))
    await (await product.again(person)).ask(newAccount, directAccount)
  }
  product.clock.set(new Date('2026-04-09T08:00:00Z'))
  const admin = await product.again(product.admin)
  const { days } = await admin.ask(getActivity, {})
  const { pointsSold } = await board()
  expect(pointsSold).toBe(days.reduce((sum, one) => sum + one.pointsSold, 0))
  expect(pointsSold).toBe(300)
})

test('servers whose hosting ends within 14 days are listed, overdue ones first, by the date in UTC', async () => {
  const { clock, admin } = product
  clock.set(new Date('2026-03-01T12:09:00Z'))
  const ending: string[] = []
  for (const serverExpireDate of ['2026-03-15', '2026-03-16', '', '2026-02-28', '2026-03-01'])
    ending.push(await product.server({ serverExpireDate, serverName: `n${serverExpireDate}` }))
  const listed = async () => (await board()).endingServers.map(({ name }) => name)
  expect(await listed()).toEqual(['n2026-02-28', 'n2026-03-01', 'n2026-03-15'])
  expect((await board()).endingServers[0]).toEqual({
    uuid: ending[3],
    name: 'n2026-02-28',
    expireDate: '2026-02-28',
  })
  const again = await product.again(admin)
  await again.ask(editHost, { hostUUID: `${ending[3]}`, serverExpireDate: '2027-02-28' })
  clock.set(new Date('2026-03-02T00:00:00Z'))
  expect(await listed()).toEqual(['n2026-03-01', 'n2026-03-15', 'n2026-03-16'])
})

test('each host says why it failed last, and one that fails again and again hides no other', async () => {
  const { admin, clock, ctx } = product
  const [once, often, mended] = [await product.server(), await product.server(), await product.server()]
  const failAgain = async (serverUUID: string) => {
    clock.advance(1_000)
    await admin.ask(provisionServer, { serverUUID })
    await provision(ctx, (await runOf(product, serverUUID)).uuid)
  }
  await failAgain(once)
  for (let time = 1; time <= 6; time++) await failAgain(often)
  await failAgain(mended)
  await admin.ask(setServerReady, { serverUUID: mended, reason: 'by hand' })
  const { lastFailures } = await board()
  expect(lastFailures.map(({ uuid, state }) => [uuid, state])).toEqual([
    [often, 'ready'],
    [once, 'ready'],
    [mended, 'ready'],
  ])
  const wait = ({ retryDate }: { retryDate?: string | null | undefined }) =>
    retryDate ? Date.parse(retryDate) - Date.parse(lastFailures[0]?.failedDate ?? '') : null
  expect(lastFailures.map(wait)).toEqual([3_600_000, 54_000, null])
})
