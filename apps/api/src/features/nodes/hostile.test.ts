import { randomBytes } from 'node:crypto'
import {
  clearAbuseBulk,
  day,
  desired,
  getAudit,
  getDashboard,
  getHostFigures,
  getUsage,
  moveAccount,
  newAccount,
  report,
} from '@kelid/contract'
import fastify from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Body } from '../../../test/calls.ts'
import { passMinutes } from '../../../test/devices.ts'
import { nodesForAllTests, outcomeOf, type ServerNode } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount, trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'
import { emptyReport } from '../../../test/security/samples.ts'
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
  person = await product.person({ points: 1_000_000, tunnelCredit: 1_000_000 })
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
const numbers = new Map<string, number>()
const numberOf = (id: string): number => {
  numbers.set(id, numbers.get(id) ?? numbers.size)
  return numbers.get(id) ?? 0
}
/** Five devices of each account, at addresses where nobody else is. */
const crowd = (ids: readonly string[]) =>
  ids.flatMap((id) =>
    [1, 2, 3, 4, 5].map((device) => ({
      id,
      address: `10.${numberOf(id) >> 8}.${numberOf(id) & 255}.${device}`,
    })),
  )
const onlineOf = (ids: readonly string[]) =>
  ids.map((id) => ({ id, devices: [{ address: '203.0.113.1', seenAt: product.clock.now().toISOString() }] }))
/** Accounts of which the host says that they were shared all the time, so that their devices are refused. */
async function accuse(node: Pick<ServerNode, 'say'>, ids: readonly string[], minutes = 3) {
  await passMinutes(
    product,
    node,
    Array.from({ length: minutes }, () => crowd(ids)),
  )
}
/** As after an hour of that. */
const passHour = (ids: readonly string[]) =>
  product.sql(
    `INSERT INTO crowds (account_uuid, at, devices) SELECT id, $2::timestamptz - make_interval(mins => 15 * part), 5
      FROM unnest($1::uuid[]) AS id, generate_series(1, 4) AS part ON CONFLICT DO NOTHING`,
    ids,
    product.clock.now(),
  )
async function accuseForAnHour(node: Pick<ServerNode, 'say'>, ids: readonly string[]) {
  await accuse(node, ids, 2)
  await passHour(ids)
  await accuse(node, ids, 1)
}
const refusedOf = async (uuid: string) =>
  (await product.sql('SELECT FROM accounts WHERE server_uuid = $1 AND refusal IS NOT NULL', uuid)).length
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

test.each([
  { act: 'refuses devices of', accuseAll: accuse, countOf: refusedOf, finding: 'refuse' },
  { act: 'stops', accuseAll: accuseForAnHour, countOf: abusedOf, finding: 'stop' },
])(
  'a host that accuses all its customers $act two of forty, ten a day, and raises an alert',
  async (rule) => {
    const node = await host(40)
    const { uuid, ids } = node
    await rule.accuseAll(node, ids.slice(0, 39))
    expect(await rule.countOf(uuid)).toBe(2)
    expect(await alertsOf(uuid)).toEqual([{ alert: 'abuse', count: 37 }])
    expect(await audited(uuid, 'abuseheldback')).toBe(1)
    expect(await measure(fastify(), product.ctx).metrics()).toContain(
      `kelid_host_alert{kind="server",uuid="${uuid}",name="fra-1",alert="abuse"} 37`,
    )
    const counts: number[] = []
    for (let round = 0; round < 6; round += 1) {
      product.clock.advance(11 * 60_000)
      await rule.accuseAll(node, ids)
      counts.push(
        (
          await product.sql(
            'SELECT DISTINCT account_uuid FROM abuse_findings WHERE host_uuid = $1 AND act = $2',
            uuid,
            rule.finding,
          )
        ).length,
      )
    }
    expect(counts).toEqual([4, 6, 8, 10, 10, 10])
  },
)

test('a tunnel that lies alone refuses nobody; with a lying server it is limited as well', async () => {
  const tunnelUUID = await product.tunnel()
  await product.sql('UPDATE tunnels SET paused = true WHERE uuid <> $1', tunnelUUID)
  const server = await product.onlyServer({ ...trojanServer(), serverMaxAccounts: 1_000 })
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1)
    ids.push((await (await product.again(person)).ask(newAccount, tunnelledAccount)).accountUUID)
  const relay = await product.nodeOf(tunnelUUID)
  const tunnel = {
    say: (fields: Partial<Body<typeof report>>) =>
      product.ask(relay, report, { ...emptyReport(), ...fields }),
  }
  const quiet = {
    say: (fields: Partial<Body<typeof report>>) => server.say({ ...fields, online: onlineOf(ids) }),
  }
  await passMinutes(
    product,
    quiet,
    Array.from({ length: 4 }, () => crowd(ids)),
    tunnel,
  )
  expect(await refusedOf(server.uuid)).toBe(0)
  await passMinutes(
    product,
    server,
    Array.from({ length: 4 }, () => crowd(ids)),
    tunnel,
  )
  expect(await refusedOf(server.uuid)).toBe(2)
  expect(await alertsOf(tunnelUUID)).toMatchObject([{ alert: 'abuse' }])
})

test('on a small host every sharer is stopped, on a large one ten in ten minutes', async () => {
  const small = await host(3)
  for (const id of small.ids.slice(0, 2)) await accuseForAnHour(small, [id])
  expect(await abusedOf(small.uuid)).toBe(2)
  expect(await alertsOf(small.uuid)).toEqual([])

  const large = await host(240)
  await accuseForAnHour(large, large.ids)
  expect(await abusedOf(large.uuid)).toBe(10)
  const figures = await (await product.again(admin)).ask(getHostFigures, { hostUUID: large.uuid })
  expect(figures).toMatchObject({ hostAbusedAccounts: 10, hostAlerts: [{ alert: 'abuse', count: 230 }] })
})

test('an administrator clears all accounts of a host at once, and a repeated request clears none twice', async () => {
  const node = await host(5)
  const { uuid, list, ids } = node
  const other = await host(1)
  await accuseForAnHour(node, ids.slice(0, 2))
  await accuseForAnHour(other, other.ids)
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

test('random device addresses fill no table, and raise an alert; one widely shared link does not', async () => {
  const { uuid, say, ids } = await host(5)
  const devices = (round: number) =>
    Array.from({ length: 250 }, (_, index) => ({
      address: `10.${round}.${index >> 4}.${index & 15}`,
      seenAt: product.clock.now().toISOString(),
    }))
  const [sharer = ''] = ids
  for (let round = 0; round < 2; round += 1) await say({ online: [{ id: sharer, devices: devices(round) }] })
  expect(await rowsOf('devices', [sharer])).toBe(32)
  expect(await alertsOf(uuid)).toEqual([])
  for (let round = 0; round < 20; round += 1) {
    expect(await outcomeOf(say({ online: ids.map((id) => ({ id, devices: devices(round) })) }))).toBe('OK')
    product.clock.advance(60_000)
  }
  for (const id of ids) expect(await rowsOf('devices', [id])).toBeLessThanOrEqual(32)
  expect((await alertsOf(uuid)).map(({ alert }) => alert)).toEqual(['devices'])
  expect(await audited(uuid, 'devicesdropped')).toBe(1)
})

test('a report with an account of another host is refused whole, and audited once an hour', async () => {
  const victim = await host(1)
  const { uuid, say, ids } = await host(1)
  const [foreign = ''] = victim.ids
  const [own = ''] = ids
  const parts: Partial<Body<typeof report>>[] = [
    { applied: [{ id: foreign, revision: 1 }] },
    { usage: [{ id: foreign, up: 5, down: 5 }] },
    { online: onlineOf([foreign]) },
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

test('an exit cannot fill the answers to a relay with orders to cut', async () => {
  const tunnelUUID = await product.tunnel()
  const exit = await product.onlyServer(trojanServer())
  const id = (await person.ask(newAccount, tunnelledAccount)).accountUUID
  await product.sql('UPDATE accounts SET tunnel_uuid = $2 WHERE uuid = $1', id, tunnelUUID)
  for (const network of [5, 6]) {
    const gone = Array.from({ length: 1_500 }, (_, port) => ({
      ...{ id, address: `203.0.113.${network}`, port: port + 1 },
    }))
    await exit.say({ gone })
  }
  const ordered = async () =>
    (await product.ask(await product.nodeOf(tunnelUUID), desired, { epoch: '', digest: '' })).cuts.length
  expect(await ordered()).toBe(2_000)
  product.clock.advance(61_000)
  await exit.say({ gone: [{ id, address: '203.0.113.7', port: 1 }] })
  expect(await ordered()).toBe(1)
})

test('an alert is shown for a day', async () => {
  const { uuid, say } = await host(1)
  const victim = await host(1)
  await outcomeOf(say({ applied: victim.ids.map((id) => ({ id, revision: 1 })) }))
  expect(await alertsOf(uuid)).toHaveLength(1)
  product.clock.advance(day)
  expect(await alertsOf(uuid)).toEqual([])
})
