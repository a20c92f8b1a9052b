import { randomUUID } from 'node:crypto'
import {
  day,
  desired,
  getAccount,
  getAudit,
  gigabyte,
  moveAccount,
  newAccount,
  setEnabled,
  setSettings,
} from '@kelid/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { nodesForAllTests, outcomeOf, type ServerNode } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount, unusedAddress } from '../../../test/sample-hosts.ts'
import { until } from '../../../test/until.ts'
import { shareAnew } from '../data/data.ts'

const product = nodesForAllTests()
let person: Person
let begin: Date
beforeAll(() => {
  begin = product.clock.now()
})
/** Sessions end by the clock that tests move. */
beforeEach(async () => {
  product.clock.set(begin)
  person = await product.person({ points: 1_000_000 })
})

const MB = 2 ** 20
const bound = 64 * MB
type Lease = NonNullable<Parameters<ServerNode['say']>[0]['leases']>[number]

/** An agent with the leases that it was given. */
function nodeWith({ uuid, say, list }: ServerNode, id: string) {
  const lease: Lease = { id, frame: randomUUID(), spent: 0, until: 0 }
  const take = (answers: readonly { id: string; frame: string; until: number }[] = []) => {
    for (const { until, ...of } of answers)
      if (of.id === id && of.frame === lease.frame) lease.until = Math.max(until, lease.spent)
  }
  return {
    uuid,
    lease,
    list,
    take,
    sayRaw: say,
    room: () => lease.until - lease.spent,
    /** Reports until the control plane has nothing else for it. */
    async say(spent = 0) {
      lease.spent += spent
      for (let round = 0; round < 3; round += 1) {
        const { leases } = await say({ leases: [lease] })
        take(leases)
        if (leases?.length === 0) return
      }
    },
  }
}

/** An account with this many ways and a limit, and its nodes. */
async function accountWith(bytes: number, ways = 1) {
  const first = await product.onlyServer()
  const servers = [first]
  for (let way = 1; way < ways; way += 1) {
    const uuid = await product.server({ serverIPV4: unusedAddress() })
    servers.push(await product.serverNode(uuid))
  }
  await product.admin.ask(setSettings, { waysPerAccount: { 'hysteria2-direct': ways } })
  const { accountUUID: id } = await person.ask(newAccount, directAccount)
  await limit(id, bytes)
  const nodes = servers.map((server) => nodeWith(server, id))
  // What the first ones get depends on what the others say.
  for (const node of [...nodes, ...nodes]) await node.say()
  return { id, nodes: nodes as [Node, ...Node[]] }
}
type Node = ReturnType<typeof nodeWith>
const limit = (id: string, bytes: number) =>
  product.sql(
    'INSERT INTO data_limits (account_uuid, bytes, period_began_at) VALUES ($1, $2, $3)',
    ...[id, bytes, product.clock.now()],
  )
/** As purchases, new periods and resets change it. */
const change = (id: string, to: { bytes?: number; used?: number }) =>
  product.ctx.atomically(async (tx) => {
    await tx.selectFrom('accounts').select('uuid').where('uuid', '=', id).forUpdate().execute()
    const { bytes, used } = await tx
      .updateTable('data_limits')
      .set(to)
      .where('account_uuid', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('accounts')
      .set({ exhausted: used >= bytes })
      .where('uuid', '=', id)
      .execute()
    await shareAnew(product.ctx, tx, [id])
  })
const usedOf = async (id: string): Promise<number> =>
  (await product.sql('SELECT used FROM data_limits WHERE account_uuid = $1', id))[0].used
const stateOf = async (id: string) => (await person.ask(getAccount, { accountUUID: id })).accountState
const eventsOf = async (accountUUID: string) =>
  (await product.sql('SELECT FROM events WHERE payload @> $1', { accountUUID })).length
const enabledOn = async ({ list }: Node) => (await list()).accounts?.[0]?.enabled

test('the list says which accounts need a lease, and unlimited ones cost nothing', async () => {
  const node = await product.onlyServer()
  const { accountUUID: unlimited } = await person.ask(newAccount, directAccount)
  const { accountUUID: limited } = await person.ask(newAccount, directAccount)
  const before = await node.list()
  expect(before.accounts?.some((account) => 'isLeased' in account || 'startsBy' in account)).toBe(false)
  await limit(limited, gigabyte)
  const { accounts, digest } = await node.list()
  expect(digest).not.toBe(before.digest)
  expect(new Map(accounts?.map(({ id, isLeased }) => [id, isLeased]))).toEqual(
    new Map([
      [unlimited, undefined],
      [limited, true],
    ]),
  )
  const said = { frame: randomUUID(), spent: 5, until: 0 }
  expect((await node.say({})).understands).toEqual(expect.arrayContaining(['leases', 'begun']))
  expect((await node.say({})).leases, 'an older agent').toBeUndefined()
  const { leases } = await node.say({ leases: [unlimited, limited].map((id) => ({ id, ...said })) })
  expect(leases).toEqual([{ id: limited, frame: said.frame, until: gigabyte }])
})

test('the only way gets everything that is left, counted once, until it is used up; the owner is told', async () => {
  const { id, nodes } = await accountWith(gigabyte)
  const [node] = nodes
  expect(node.lease.until).toBe(gigabyte)
  await node.say(400 * MB)
  await node.say()
  expect([await usedOf(id), node.lease.until]).toEqual([400 * MB, gigabyte])
  expect(await stateOf(id)).toBe('active')
  const before = await eventsOf(id)
  await node.say(500 * MB)
  expect((await eventsOf(id)) - before, 'it runs low').toBe(1)
  await node.say(124 * MB + 1)
  expect(await stateOf(id)).toBe('limited')
  expect((await eventsOf(id)) - before).toBe(2)
  expect(await enabledOn(node)).toBe(false)
  expect(await product.row('accounts', id)).toMatchObject({ exhausted: true, revision: 2 })
  await node.say(MB)
  expect(await usedOf(id)).toBe(gigabyte + MB + 1)
  expect((await eventsOf(id)) - before, 'and told once').toBe(2)
})

test('a raised limit and a new period are leased at once, also without a question', async () => {
  const { id, nodes } = await accountWith(gigabyte)
  const [node] = nodes
  await change(id, { bytes: 2 * gigabyte })
  const { leases } = await node.sayRaw({ leases: [] })
  expect(leases).toEqual([{ id, frame: node.lease.frame, until: 2 * gigabyte }])
  node.take(leases)
  await node.say(2 * gigabyte)
  expect([await stateOf(id), node.room()]).toEqual(['limited', 0])
  await change(id, { used: 0 })
  expect([await stateOf(id), await enabledOn(node)]).toEqual(['active', true])
  await node.say()
  expect([await usedOf(id), node.room()]).toEqual([0, 2 * gigabyte])
  await change(id, { bytes: gigabyte / 2 })
  await node.say()
  expect(node.room(), 'a smaller one is given back').toBe(gigabyte / 2)
})

test('a server that holds what another one needs hears it at once, while it waits for its list', async () => {
  const { nodes } = await accountWith(600 * MB, 2)
  const [first, second] = nodes as [Node, Node]
  const { epoch, digest } = await second.list()
  const composed = async () =>
    (await product.sql('SELECT xmax::text AS holder FROM node_lists WHERE host_uuid = $1', second.uuid))[0]
      .holder
  const before = await composed()
  const waiting = product.ask(await product.nodeOf(second.uuid), desired, { epoch, digest })
  await until(async () => (await composed()) !== before, 'the list to be compared')
  for (let round = 0; round < 8; round += 1) await first.say(first.room())
  expect(await waiting).toMatchObject({ reportNow: true, accounts: null })
  expect(first.room()).toBe(0)
  await second.say()
  await first.say()
  expect(first.room()).toBeGreaterThan(0)
})

test('several ways share what is left: never more than there is, most of it where it is used', async () => {
  const { id, nodes } = await accountWith(6 * gigabyte, 3)
  const [first, second, third] = nodes as [Node, Node, Node]
  expect(nodes.map((node) => node.room())).toEqual([gigabyte, gigabyte, gigabyte])
  for (let used = 0; used < 4; used += 1) {
    await first.say(Math.floor(first.room() * 0.8))
    const rooms = nodes.map((node) => node.room())
    const left = 6 * gigabyte - (await usedOf(id))
    expect(rooms[0]).toBeGreaterThan(0)
    expect(rooms.reduce((sum, room) => sum + room, 0)).toBeLessThanOrEqual(left)
  }
  // A customer who comes by another way now gets what the first one does not need.
  product.clock.advance(120_000)
  for (let round = 0; round < 60 && (await stateOf(id)) === 'active'; round += 1) {
    await second.say(second.room())
    for (const other of [first, third]) {
      const { leases } = await other.sayRaw({ leases: [] })
      other.take(leases)
      if (leases && leases.length > 0) await other.say()
    }
    await second.say()
  }
  expect(await stateOf(id)).toBe('limited')
  expect((await usedOf(id)) - 6 * gigabyte).toBe(0)
})

test('what a server holds is kept for it until it says that it gave it back', async () => {
  const { id, nodes } = await accountWith(600 * MB, 2)
  const [first, second] = nodes as [Node, Node]
  await first.say(first.room())
  const held = first.room()
  expect(held).toBeGreaterThan(bound)
  // The answer that calls it back is lost.
  product.clock.advance(120_000)
  await second.say(second.room())
  for (let round = 0; round < 10; round += 1) {
    await first.sayRaw({ leases: [first.lease] })
    await second.say(second.room())
    expect((await usedOf(id)) + held + second.room()).toBeLessThanOrEqual(600 * MB)
  }
  expect(second.room()).toBe(0)
  await first.say()
  await second.say()
  expect(second.room()).toBeGreaterThan(0)
})

test('two servers that report at once count both, and are not granted the same bytes', async () => {
  const { id, nodes } = await accountWith(2 * gigabyte, 2)
  for (let round = 0; round < 15; round += 1) {
    await Promise.all(nodes.map((node) => node.say(Math.min(node.room(), 30 * MB))))
    const spent = nodes.reduce((sum, { lease }) => sum + lease.spent, 0)
    expect(await usedOf(id)).toBe(spent)
    const rooms = nodes.reduce((sum, node) => sum + node.room(), 0)
    expect(rooms).toBeLessThanOrEqual(2 * gigabyte - spent)
  }
})

test('a server that lost its count begins another, and its old lease ends', async () => {
  const { id, nodes } = await accountWith(gigabyte)
  const [node] = nodes
  await node.say(100 * MB)
  Object.assign(node.lease, { frame: randomUUID(), spent: 0, until: 0 })
  await node.say()
  expect(node.room()).toBe(924 * MB)
  await node.say(24 * MB)
  expect(await usedOf(id)).toBe(124 * MB)
})

test('a restored database gives no bytes away and takes none', async () => {
  const { id, nodes } = await accountWith(4 * gigabyte, 2)
  const [first, second] = nodes as [Node, Node]
  await first.say(100 * MB)
  const rows = await product.sql('SELECT * FROM data_leases WHERE account_uuid = $1', id)
  const used = await usedOf(id)
  for (let round = 0; round < 8; round += 1) await second.say(second.room() / 2)
  await first.say(50 * MB)
  await product.sql('DELETE FROM data_leases WHERE account_uuid = $1', id)
  for (const { at, ...row } of rows)
    await product.ctx.db
      .insertInto('data_leases')
      .values({ ...row, at })
      .execute()
  await product.sql('UPDATE data_limits SET used = $2 WHERE account_uuid = $1', id, used)
  await product.sql(
    'DELETE FROM node_states WHERE host_uuid = ANY ($1)',
    nodes.map(({ uuid }) => uuid),
  )
  const before = first.lease.until
  await first.say(first.room())
  expect(first.lease.until, 'the other one may hold the rest').toBe(before)
  await second.say()
  await first.say()
  const spent = nodes.reduce((sum, { lease }) => sum + lease.spent, 0)
  expect(await usedOf(id)).toBe(spent)
  expect(first.room()).toBeGreaterThan(0)
  expect(first.room() + second.room()).toBeLessThanOrEqual(4 * gigabyte - spent)
})

test('a host that is silent keeps nothing from the others for ever, and counts when it is back', async () => {
  const { id, nodes } = await accountWith(600 * MB, 2)
  const [gone, here] = nodes as [Node, Node]
  await gone.say(gone.room())
  const room = gone.room()
  for (let round = 0; round < 40; round += 1) {
    product.clock.advance(10_000)
    await here.say(here.room())
  }
  expect(await stateOf(id)).toBe('limited')
  expect((await usedOf(id)) - 600 * MB).toBe(0)
  await gone.say(room)
  expect(await usedOf(id)).toBe(600 * MB + room)
})

test('an account that moves takes what is left along, and its last bytes at the former server count', async () => {
  const { id, nodes } = await accountWith(gigabyte)
  const [from] = nodes
  await from.say(100 * MB)
  const to = await product.onlyServer()
  await product.admin.ask(moveAccount, { accountUUID: id, toServerUUID: to.uuid })
  const there = nodeWith(to, id)
  await there.say()
  expect(there.room(), 'the former server may still let it in').toBe(0)
  from.lease.spent += 10 * MB
  from.lease.until = from.lease.spent
  await from.say()
  expect(await usedOf(id)).toBe(110 * MB)
  await there.say()
  expect(there.room()).toBe(gigabyte - 110 * MB)
  await from.say(5 * MB)
  await from.sayRaw({ leases: [{ ...from.lease, frame: randomUUID() }] })
  expect(await usedOf(id), 'it has given everything back').toBe(110 * MB)
})

test('a host may speak of its own accounts only, and its inventions end those at worst', async () => {
  const victim = await accountWith(gigabyte, 2)
  const { id, nodes } = await accountWith(20 * 1_024 * gigabyte, 2)
  const [hostile, other] = nodes as [Node, Node]
  const most = Number.MAX_SAFE_INTEGER
  for (let minutes = 0; minutes < 4; minutes += 1) {
    product.clock.advance(60_000)
    for (const node of nodes) await node.say()
  }
  const about = (fields: Partial<Lease>) => hostile.sayRaw({ leases: [{ ...hostile.lease, ...fields }] })
  expect(await outcomeOf(about({ id: victim.id, spent: most, until: most }))).toBe('FOREIGN_REPORT')
  expect(await usedOf(victim.id)).toBe(0)
  const audited = await product.admin.ask(getAudit, { subject: hostile.uuid, action: 'foreignreport' })
  expect(audited.items).toHaveLength(1)
  const { leases } = await about({ until: most })
  expect(leases).toEqual([{ id, frame: hostile.lease.frame, until: hostile.lease.until }])
  await about({ frame: randomUUID(), until: most })
  await other.say(gigabyte)
  expect(other.room(), 'the other one gets what is its own').toBeGreaterThan(4 * 1_024 * gigabyte)
  await about({ spent: most })
  const more = (await usedOf(id)) - other.lease.spent
  expect(more, 'more than a line carries is counted later').toBeLessThan(1_000 * gigabyte)
  expect(await stateOf(id)).toBe('active')
  for (let round = 0; round < 5; round += 1) {
    product.clock.advance(day)
    await about({ spent: most, until: most })
    await about({ frame: randomUUID(), spent: most, until: most })
  }
  person = await product.again(person)
  expect(await stateOf(id)).toBe('limited')
  expect(await usedOf(id)).toBeLessThanOrEqual(most)
  expect(await outcomeOf(other.say())).toBe('OK')
})

test('an account on a host whose agent is older is limited by the bytes that it reports', async () => {
  const { id, nodes } = await accountWith(gigabyte, 2)
  const [newer, older] = nodes as [Node, Node]
  await product.sql('DELETE FROM data_leases WHERE server_uuid = $1', older.uuid)
  const core = { version: '26.3.27', bootId: 'boot-1', upSince: '' }
  const use = (down: number) => older.sayRaw({ core, usage: [{ id, up: 0, down }] })
  await use(100 * MB)
  await use(100 * MB)
  await use(150 * MB)
  expect(await usedOf(id)).toBe(150 * MB)
  await newer.say(10 * MB)
  await newer.sayRaw({ core, usage: [{ id, up: 0, down: 10 * MB }], leases: [newer.lease] })
  await newer.sayRaw({ core, usage: [{ id, up: 0, down: 20 * MB }] })
  expect(await usedOf(id), 'what has a lease counts by it').toBe(160 * MB)
  await use(gigabyte)
  expect(await stateOf(id)).toBe('limited')
  const closed = await person.call(setEnabled, { accountUUID: id, accountEnabled: false })
  expect(closed.status).toBe(200)
})
