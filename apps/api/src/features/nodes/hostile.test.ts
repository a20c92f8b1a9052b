import { randomBytes } from 'node:crypto'
import {
  clearAbuseBulk,
  day,
  getAudit,
  getDashboard,
  getHostFigures,
  getUsage,
  moveAccount,
  newAccount,
  type report,
} from '@kelid/contract'
import fastify from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Body } from '../../../test/calls.ts'
import { nodesForAllTests, outcomeOf } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'
import { measure } from '../../http/metrics.ts'

const product = nodesForAllTests()
let person: Person
let admin: Person
let begin: Date
beforeAll(async () => {
  begin = product.clock.now()
})
/** Tests move the clock, and sessions end by it. */
beforeEach(async () => {
  product.clock.set(begin)
  person = await product.person({ points: 1_000_000 })
  admin = await product.person({ level: 6 })
})

async function host(accounts: number) {
  const node = await product.onlyServer({ serverMaxAccounts: 1_000 })
  const ids: string[] = []
  for (let count = 0; count < Math.min(accounts, 5); count += 1)
    ids.push((await person.ask(newAccount, directAccount)).accountUUID)
  if (accounts > 5) ids.push(...(await copiesOf(ids[0] ?? '', accounts - 5)))
  return { ...node, ids }
}
/** Quicker than buying them; their secrets cannot be read. */
async function copiesOf(accountUUID: string, count: number): Promise<string[]> {
  const { changed_at: _, ...row } = await product.row('accounts', accountUUID)
  const rows = Array.from({ length: count }, () => ({
    ...row,
    uuid: crypto.randomUUID(),
    subscription_hash: randomBytes(32),
  }))
  await product.ctx.db.insertInto('accounts').values(rows).execute()
  return rows.map(({ uuid }) => uuid)
}
/** As seen on five devices at once, each. */
const crowd = (ids: readonly string[]) =>
  ids.map((id) => ({
    id,
    devices: [1, 2, 3, 4, 5].map((index) => ({
      address: `203.0.113.${index}`,
      seenAt: product.clock.now().toISOString(),
    })),
  }))
const abusedOf = async (uuid: string) =>
  (await product.sql('SELECT FROM accounts WHERE server_uuid = $1 AND abused', uuid)).length
const alertsOf = async (uuid: string) =>
  (await (await product.again(admin)).ask(getDashboard, {})).hostAlerts
    .filter((one) => one.uuid === uuid)
    .map(({ alert, count }) => ({ alert, count }))
const audited = async (subject: string, action: string) =>
  (await (await product.again(admin)).ask(getAudit, { subject, action })).items.length
const usedBy = async (accountUUID: string) =>
  (await (await product.again(person)).ask(getUsage, { accountUUID })).usageTotal
const boot = (bootId: string) => ({ version: '26.3.27', bootId, upSince: '' })
const rowsOf = async (table: 'usage_counters' | 'devices', ids: readonly string[]) =>
  (await product.sql(`SELECT FROM ${table} WHERE account_uuid = ANY ($1)`, ids)).length
const bootsOf = async (uuid: string) =>
  (await product.sql('SELECT FROM node_boots WHERE host_uuid = $1', uuid)).length

test('a host that accuses all its customers stops two of forty and raises one alert', async () => {
  const { uuid, say, ids } = await host(40)
  for (let count = 0; count < 5; count += 1) {
    await say({ online: crowd(ids.slice(0, 39)) })
    product.clock.advance(10_000)
  }
  expect(await abusedOf(uuid)).toBe(2)
  expect(await alertsOf(uuid)).toEqual([{ alert: 'abuse', count: 37 }])
  expect(await audited(uuid, 'abuseheldback')).toBe(1)
  expect(await measure(fastify(), product.ctx).metrics()).toContain(
    `kelid_host_alert{kind="server",uuid="${uuid}",name="fra-1",alert="abuse"} 37`,
  )
  const figures = await admin.ask(getHostFigures, { hostUUID: uuid })
  expect(figures).toMatchObject({ hostAbusedAccounts: 2, hostAlerts: [{ alert: 'abuse', count: 37 }] })
})

test('a host that accuses its customers stops at most ten of forty in a day', async () => {
  const { uuid, say, ids } = await host(40)
  const stopped: number[] = []
  for (let count = 0; count < 8; count += 1) {
    await say({ online: crowd(ids) })
    stopped.push(await abusedOf(uuid))
    product.clock.advance(11 * 60_000)
  }
  expect(stopped).toEqual([2, 4, 6, 8, 10, 10, 10, 10])
})

test('on a small host every sharer is stopped, on a large one ten in ten minutes', async () => {
  const small = await host(3)
  await small.say({ online: crowd(small.ids.slice(0, 1)) })
  expect(await abusedOf(small.uuid)).toBe(1)
  product.clock.advance(10_000)
  await small.say({ online: crowd(small.ids.slice(1, 2)) })
  expect(await abusedOf(small.uuid)).toBe(2)
  expect(await alertsOf(small.uuid)).toEqual([])

  const large = await host(240)
  await large.say({ online: crowd(large.ids) })
  expect(await abusedOf(large.uuid)).toBe(10)
  expect(await alertsOf(large.uuid)).toEqual([{ alert: 'abuse', count: 230 }])
})

test('an administrator clears all accounts of a host at once, and a repeated request clears none twice', async () => {
  const { uuid, say, list, ids } = await host(5)
  const other = await host(1)
  await say({ online: crowd(ids.slice(0, 2)) })
  await other.say({ online: crowd(other.ids) })
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const clear = () => admin.ask(clearAbuseBulk, { serverUUID: uuid }, headers)
  expect(await clear()).toEqual({ accountsCleared: 2, accountsLeft: 0 })
  expect(await clear()).toEqual({ accountsCleared: 2, accountsLeft: 0 })
  expect([await abusedOf(uuid), await abusedOf(other.uuid)]).toEqual([0, 1])
  const { accounts } = await list()
  expect(accounts?.every(({ enabled }) => enabled)).toBe(true)
  for (const id of ids.slice(0, 2)) expect(await audited(id, 'clearabuse')).toBe(1)
  expect(await audited(uuid, 'clearabusebulk')).toBe(1)
  expect(await rowsOf('devices', ids)).toBe(0)
  const none = await admin.ask(clearAbuseBulk, { serverUUID: uuid })
  expect(none).toEqual({ accountsCleared: 0, accountsLeft: 0 })
})

test('accounts are cleared in batches', async () => {
  const { uuid, ids } = await host(203)
  await product.sql('UPDATE accounts SET abused = true, enabled = false WHERE uuid = ANY ($1)', ids)
  const clear = () => admin.ask(clearAbuseBulk, { serverUUID: uuid })
  expect(await clear()).toEqual({ accountsCleared: 200, accountsLeft: 3 })
  expect(await clear()).toEqual({ accountsCleared: 3, accountsLeft: 0 })
})

test('a host that invents starts of its core fills no table; one that really restarts often loses no byte', async () => {
  const honest = await host(2)
  const hostile = await host(2)
  const [id = '', second = ''] = honest.ids
  const use = (bootId: string, up: number) => ({
    core: boot(bootId),
    usage: honest.ids.map((one) => ({ id: one, up, down: 0 })),
  })
  for (let count = 0; count < 100; count += 1) {
    await honest.say(use(`boot-${count}`, 1))
    await honest.say(use(`boot-${count}`, 5))
    if (count > 0) await honest.say(use(`boot-${count - 1}`, 5))
    product.clock.advance(15_000)
  }
  expect([await usedBy(id), await usedBy(second)]).toEqual(Array(2).fill({ up: 500, down: 0 }))
  expect(await alertsOf(honest.uuid)).toEqual([])
  const counted = (usage: number) => hostile.ids.map((one) => ({ id: one, up: usage, down: 0 }))
  for (let count = 0; count < 150; count += 1)
    await hostile.say({ core: boot(`random-${count}`), usage: counted(1) })
  expect(await alertsOf(hostile.uuid)).toEqual([{ alert: 'boots', count: 1 }])
  expect(await audited(hostile.uuid, 'bootsdropped')).toBe(1)
  expect(await rowsOf('usage_counters', hostile.ids)).toBeLessThanOrEqual(2 * 64)
  expect(await rowsOf('usage_counters', honest.ids)).toBeLessThanOrEqual(2 * 64)
  expect([await bootsOf(hostile.uuid), await bootsOf(honest.uuid)]).toEqual([60, 64])
  expect((await usedBy(hostile.ids[0] ?? '')).up).toBe(60)
  product.clock.advance(11 * 60_000)
  await hostile.say({ core: boot('random-149'), usage: counted(9) })
  expect((await usedBy(hostile.ids[0] ?? '')).up, 'what still runs is counted later').toBe(69)
})

test('random device addresses fill no table, and the account is stopped as before', async () => {
  const { uuid, say, ids } = await host(3)
  const devices = (round: number) =>
    Array.from({ length: 250 }, (_, index) => ({
      address: `10.${round}.${index >> 4}.${index & 15}`,
      seenAt: product.clock.now().toISOString(),
    }))
  for (let round = 0; round < 20; round += 1) {
    expect(await outcomeOf(say({ online: ids.map((id) => ({ id, devices: devices(round) })) }))).toBe('OK')
    product.clock.advance(60_000)
  }
  for (const id of ids) expect(await rowsOf('devices', [id])).toBeLessThanOrEqual(32)
  expect(await abusedOf(uuid)).toBe(3)
  expect((await alertsOf(uuid)).map(({ alert }) => alert).sort()).toEqual(['abuse', 'devices'])
  expect(await audited(uuid, 'devicesdropped')).toBe(1)
})

test('a customer whose link is used from forty addresses is stopped, and raises no alert about the host', async () => {
  const { uuid, say, ids } = await host(5)
  const [sharer = ''] = ids
  for (let round = 0; round < 2; round += 1) {
    const devices = Array.from({ length: 40 }, (_, index) => ({
      address: `203.0.113.${40 * round + index}`,
      seenAt: product.clock.now().toISOString(),
    }))
    await say({ online: [{ id: sharer, devices }] })
    product.clock.advance(10_000)
  }
  expect(await rowsOf('devices', [sharer])).toBe(32)
  expect(await abusedOf(uuid)).toBe(1)
  expect(await alertsOf(uuid)).toEqual([])
})

test('a report with an account of another host is refused whole, and audited once an hour', async () => {
  const victim = await host(1)
  const { uuid, say, ids } = await host(1)
  const [foreign = ''] = victim.ids
  const [own = ''] = ids
  const parts: Partial<Body<typeof report>>[] = [
    { applied: [{ id: foreign, revision: 1 }] },
    { usage: [{ id: foreign, up: 5, down: 5 }] },
    { online: crowd([foreign]) },
    { gone: [{ id: foreign, address: '203.0.113.1', port: 4_000 }] },
  ]
  const core = boot('one')
  for (const part of parts)
    expect(
      await outcomeOf(say({ core, ...part, usage: [...(part.usage ?? []), { id: own, up: 7, down: 7 }] })),
    ).toBe('FOREIGN_REPORT')
  expect([await usedBy(own), await usedBy(foreign)]).toEqual(Array(2).fill({ up: 0, down: 0 }))
  expect(await audited(uuid, 'foreignreport')).toBe(1)
  expect(product.logs.filter((line) => line.includes(uuid) && line.includes('refused in part'))).not.toEqual(
    [],
  )
  expect(await alertsOf(uuid)).toEqual([{ alert: 'foreign', count: 1 }])
  expect(await outcomeOf(say({ core, usage: [{ id: own, up: 7, down: 7 }] }))).toBe('OK')
  product.clock.advance(61 * 60_000)
  expect(await outcomeOf(say(parts[1] ?? {}))).toBe('FOREIGN_REPORT')
  expect(await audited(uuid, 'foreignreport')).toBe(2)
})

test('an honest host may report accounts that were moved away or deleted', async () => {
  const from = await host(2)
  const to = await host(0)
  const [moved = '', deleted = ''] = from.ids
  await admin.ask(moveAccount, { accountUUID: moved, toServerUUID: to.uuid })
  await product.sql('DELETE FROM accounts WHERE uuid = $1', deleted)
  const longAgo = `UPDATE departures SET at = at - interval '20 days' WHERE server_uuid = $1`
  await product.sql(longAgo, from.uuid)
  await product.job('purge')
  const usage = [moved, deleted].map((id) => ({ id, up: 3, down: 3 }))
  const applied = [moved, deleted].map((id) => ({ id, revision: 1 }))
  expect(await outcomeOf(from.say({ core: boot('one'), usage, applied }))).toBe('OK')
  expect(await usedBy(moved)).toEqual({ up: 0, down: 0 })
  expect(await alertsOf(from.uuid)).toEqual([])
})

test('after a restore the report of a host with its old list counts, without the accounts of others', async () => {
  const victim = await host(1)
  const { uuid, say, list, ids } = await host(1)
  const [own = ''] = ids
  const usage = [own, ...victim.ids].map((id) => ({ id, up: 4, down: 4 }))
  const old = { epoch: crypto.randomUUID(), number: 9, core: boot('one'), usage }
  expect(await outcomeOf(say(old))).toBe('OK')
  expect([await usedBy(own), await usedBy(victim.ids[0] ?? '')]).toEqual([
    { up: 4, down: 4 },
    { up: 0, down: 0 },
  ])
  expect(await audited(uuid, 'foreignreport'), 'nothing was refused').toBe(0)
  expect(await alertsOf(uuid)).toEqual([])
  const { epoch, number } = await list()
  await say({ epoch, number })
  expect(await outcomeOf(say(old)), 'it holds a list of this database by now').toBe('FOREIGN_REPORT')
  expect(await alertsOf(uuid)).toEqual([{ alert: 'foreign', count: 1 }])
})

test('an alert is shown for a day', async () => {
  const { uuid, say } = await host(1)
  const victim = await host(1)
  await outcomeOf(say({ applied: victim.ids.map((id) => ({ id, revision: 1 })) }))
  expect(await alertsOf(uuid)).toHaveLength(1)
  product.clock.advance(day)
  expect(await alertsOf(uuid)).toEqual([])
})
