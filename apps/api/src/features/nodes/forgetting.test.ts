import { day, deleteAccount, hello, newAccount, removeHost, setEnabled } from '@kelid/contract'
import { fastify } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { lockWaiters } from '../../../test/faults/remote.ts'
import { nodesForAllTests } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'
import { until } from '../../../test/until.ts'
import { measure } from '../../http/metrics.ts'
import { regularJobs } from '../../jobs/regular.ts'

const product = nodesForAllTests()
let person: Person
let tunnel: string
let begin: Date
beforeAll(async () => {
  begin = product.clock.now()
  tunnel = await product.tunnel({ tunnelMaxAccounts: 1_000 })
  person = await product.person({ points: 100_000, tunnelCredit: 10_000 })
})
beforeEach(() => product.clock.set(begin))

/** A server behind the tunnel, with an account that has used everything that leaves traces. */
async function busyHost() {
  const { uuid, agent, say, list } = await product.onlyServer(trojanServer())
  const now = () => product.clock.now().toISOString()
  const { accountUUID: id } = await person.ask(newAccount, tunnelledAccount)
  await product.ask(agent, hello, { coreVersion: '26.3.27', now: now() })
  const { epoch, number } = await list()
  const devices = ['198.51.100.1', '198.51.100.2', '198.51.100.3'].map((address) => ({
    address,
    seenAt: now(),
  }))
  await say({
    epoch,
    number,
    applied: [{ id, revision: 1 }],
    usage: [{ id, up: 1, down: 2 }],
    online: [{ id, devices }],
    gone: [{ id, address: '198.51.100.1', port: 40_000 }],
  })
  return { uuid, id, say }
}

const count = async (table: string) => (await product.sql(`SELECT FROM ${table}`)).length

/** The tables with a row that contains the text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`
  const matches: string[] = []
  for (const { name } of await product.sql(tables)) {
    const rows = await product.sql(`SELECT FROM ${name} t WHERE t::text LIKE $1 LIMIT 1`, `%${text}%`)
    if (rows.length > 0) matches.push(name)
  }
  return matches
}

test('a host that keeps its old list is in the metrics, with the reason, until it takes one or is removed', async () => {
  const { uuid, id, say } = await busyHost()
  const registry = measure(fastify(), product.ctx)
  const lines = async () =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('kelid_host_list_refused'))
  const line = (reason: string) =>
    `kelid_host_list_refused{kind="server",uuid="${uuid}",name="ams-1",reason="${reason}"} 1`
  expect(await lines()).toEqual([])
  await say({ refusedList: 'smaller' })
  expect(await lines()).toEqual([line('smaller')])
  await say({ refusedList: 'older' })
  expect(await lines()).toEqual([line('older')])
  await say({ refusedList: '' })
  expect(await lines()).toEqual([])
  await say({ refusedList: 'older' })
  await person.call(deleteAccount, { accountUUID: id })
  await product.admin.ask(removeHost, { hostUUID: uuid })
  expect(await lines()).toEqual([])
})

test('addresses are kept for ten minutes, cuts for five, departures for a day, minutes of an overlap for three hours, findings for a year', async () => {
  const { id } = await busyHost()
  await person.call(setEnabled, { accountUUID: id, accountEnabled: false })
  const { id: other } = await busyHost()
  await person.call(deleteAccount, { accountUUID: other })
  const finding = `INSERT INTO abuse_findings (account_uuid, at, devices, allowed, samples) VALUES ($1, $2, 3, 2, '[]')`
  await product.sql(finding, id, product.clock.now())
  await product.sql(
    'INSERT INTO crowds (account_uuid, at, devices) VALUES ($1, $2, 3)',
    id,
    product.clock.now(),
  )
  await product.job('purge')
  for (const table of ['devices', 'crowds', 'node_cuts', 'departures', 'abuse_findings'])
    expect(await count(table), table).toBeGreaterThan(0)
  product.clock.advance(5 * 60_000 + 1)
  await product.job('purge')
  expect([await count('node_cuts'), (await count('devices')) > 0]).toEqual([0, true])
  product.clock.advance(5 * 60_000)
  // By the database's own clock, which no test can set.
  await product.sql(`UPDATE departures SET at = at - interval '1 day'`)
  await product.job('purge')
  expect([await count('devices'), await count('crowds'), await count('departures')]).toEqual([0, 1, 0])
  product.clock.advance(3 * 60 * 60_000)
  await product.job('purge')
  expect(await count('crowds')).toBe(0)
  expect(await count('abuse_findings')).toBe(1)
  await person.call(deleteAccount, { accountUUID: id })
})

test('a concurrent report does not restore data of a removed host', async () => {
  const { uuid, id, say } = await busyHost()
  await person.call(deleteAccount, { accountUUID: id })
  const waiting = () => lockWaiters(product)
  const both = await product.ctx.db.transaction().execute(async (tx) => {
    await sql`SELECT FROM node_states WHERE host_uuid = ${uuid} FOR UPDATE`.execute(tx)
    const removal = product.admin.call(removeHost, { hostUUID: uuid })
    await until(async () => (await waiting()) === 1, 'the removal to wait')
    const late = say({ usage: [{ id, up: 5, down: 5 }] })
    await until(async () => (await waiting()) === 2, 'the report to wait')
    return { removal, late }
  })
  ;(await both.removal).answer()
  await both.late
  await product.job('purge')
  for (const table of ['node_reports', 'node_lists', 'node_states', 'node_cuts'])
    expect(await tablesWith(uuid), table).not.toContain(table)
})

// Last: by the end of it everybody's session is over.
test('a deleted account and a removed host leave only ledger and audit log behind', async () => {
  const { uuid, id } = await busyHost()
  await person.call(deleteAccount, { accountUUID: id })
  await product.admin.ask(removeHost, { hostUUID: uuid })
  await product.sql(`UPDATE departures SET at = at - interval '1 day'`)
  await product.job('purge')
  expect(await tablesWith(uuid), 'what went through the tunnel is still its own').toContain(
    'host_usage_totals',
  )
  await product.admin.ask(removeHost, { hostUUID: tunnel })
  product.clock.advance(400 * day)
  for (const { run } of regularJobs) await run(product.ctx)
  expect(await tablesWith(id)).toEqual(['ledger_transactions'])
  expect(await tablesWith(uuid)).toEqual(['audit', 'provision_runs'])
})
