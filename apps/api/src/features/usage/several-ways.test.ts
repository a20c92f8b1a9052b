import { getDashboard, movement, newAccount, setSettings } from '@kelid/contract'
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { passMinuteAt, type Use } from '../../../test/devices.ts'
import { nodesForAllTests, type ServerNode } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount, unusedAddress } from '../../../test/sample-hosts.ts'
import { scale, seedOf } from '../../../test/scale.ts'

const product = nodesForAllTests()
let person: Person
let begin: Date
let nodes: ServerNode[]
beforeAll(async () => {
  begin = product.clock.now()
  await product.admin.ask(setSettings, { waysPerAccount: { 'hysteria2-direct': 3 } })
})
beforeEach(async () => {
  product.clock.set(begin)
  person = await product.person({ points: 1_000_000 })
  await open()
})

/** Three servers that only the accounts of one test use. */
async function open(serverMaxAccounts = 100) {
  nodes = []
  for (let count = 0; count < 3; count += 1)
    nodes.push(await product.onlyServer({ serverIPV4: unusedAddress(), serverMaxAccounts }))
  for (const { uuid } of nodes) await product.setRow('servers', uuid, { paused: false })
}
const buy = async () => (await (await product.again(person)).ask(newAccount, directAccount)).accountUUID
const [home, phone, other, stranger] = [1, 2, 3, 4].map((part) => `203.0.113.${part}`) as [
  string,
  string,
  string,
  string,
]
const at = (id: string, ...addresses: string[]): Use[] => addresses.map((address) => ({ id, address }))
/** A minute in which these are used at each of the hosts; the hosts' minutes end eleven seconds apart. */
const pass = (...uses: readonly (readonly Use[])[]) =>
  passMinuteAt(
    product,
    uses.flatMap((own, index) => {
      const exit = nodes[index]
      return exit ? [{ exit, uses: own, earlier: 11_000 * index }] : []
    }),
  )
const refusedOn = async (id: string) =>
  await Promise.all(
    nodes.map(async (node) =>
      (await node.list()).accounts?.find((one) => one.id === id)?.refused?.map(({ network }) => network),
    ),
  )
const slicesOf = (isMoving: (slice: number) => boolean) =>
  Array.from({ length: movement.slices }, (_, slice) => (isMoving(slice) ? 1 << slice : 0)).reduce(
    (a, b) => a | b,
    0,
  )
const alertsOf = async (uuid: string) =>
  (await (await product.again(product.admin)).ask(getDashboard, {})).hostAlerts
    .filter((one) => one.uuid === uuid)
    .map(({ alert }) => alert)

test('devices are counted over all ways: one at each server is three, and the newest is refused on all', async () => {
  const id = await buy()
  await pass(at(id, home), at(id, phone), [])
  for (let minute = 0; minute < 5; minute += 1) await pass(at(id, home), at(id, phone), at(id, other))
  expect(await refusedOn(id)).toEqual(Array(3).fill([other]))
  const findings = await product.sql(
    'SELECT DISTINCT host_uuid FROM abuse_findings WHERE account_uuid = $1',
    id,
  )
  expect(findings.map(({ host_uuid }) => host_uuid).sort()).toEqual(nodes.map(({ uuid }) => uuid).sort())
})

test('an app that divides its connections among all servers is one device, and two more are too many', async () => {
  const id = await buy()
  const divided = (address: string) =>
    nodes.map((_, index): Use[] => [{ id, address, slices: slicesOf((slice) => slice % 3 === index) }])
  const both = [home, phone].map(divided)
  for (let minute = 0; minute < 6; minute += 1)
    await pass(...nodes.map((_, index) => both.flatMap((uses) => uses[index] ?? [])))
  expect(await product.sql('SELECT FROM crowds WHERE account_uuid = $1', id)).toEqual([])
  const three = [home, phone, other].map(divided)
  for (let minute = 0; minute < 5; minute += 1)
    await pass(...nodes.map((_, index) => three.flatMap((uses) => uses[index] ?? [])))
  expect(await refusedOn(id)).toEqual(Array(3).fill([other]))
})

test.each<[string, (id: string, minute: number) => Use[][]]>([
  [
    'a phone that comes in at another server each minute',
    (id, minute) =>
      nodes.map((_, index) =>
        index === minute % 3 ? at(id, home, `198.51.100.${minute}`) : index === 0 ? at(id, home) : [],
      ),
  ],
  [
    'a third network that was left when the second was entered',
    (id, minute) => [
      at(id, home),
      [{ id, address: phone, slices: slicesOf((slice) => slice < 10 === (minute % 2 === 0)) }],
      [{ id, address: other, slices: slicesOf((slice) => slice < 6 === (minute % 2 === 1)) }],
    ],
  ],
  ['a server that is idle', (id) => [at(id, home), at(id, phone), [{ id, address: other, slices: 0 }]]],
])('%s: nobody is refused', async (_, usesOf) => {
  const id = await buy()
  for (let minute = 0; minute < 12; minute += 1) await pass(...usesOf(id, minute))
  expect(await refusedOn(id)).toEqual([[], [], []])
  expect(await product.sql('SELECT FROM abuse_findings WHERE account_uuid = $1', id)).toEqual([])
})

test('a server that is silent holds nobody up, and what it said last does not count for ever', async () => {
  const id = await buy()
  await pass(at(id, home), at(id, phone), at(id, other))
  for (let minute = 0; minute < 6; minute += 1) await pass(at(id, home), at(id, phone))
  expect(await refusedOn(id)).toEqual([[], [], []])
  for (let minute = 0; minute < 6; minute += 1) await pass(at(id, home), at(id, phone, other))
  expect(await refusedOn(id)).toEqual(Array(3).fill([other]))
})

test('a server that invents devices uses up its own limit, also when an honest one reports', async () => {
  await open(1_000)
  const ids: string[] = []
  for (let count = 0; count < 6; count += 1) ids.push(await buy())
  const addressOf = (id: string, device: number) => `10.9.${ids.indexOf(id)}.${device}`
  const honest = ids.map((id) => ({ id, address: addressOf(id, 1) }))
  const invented = ids.flatMap((id) => [2, 3, 4].map((device) => ({ id, address: addressOf(id, device) })))
  for (let minute = 0; minute < 5; minute += 1) await pass(honest, invented, [])
  const refused = await product.sql('SELECT FROM accounts WHERE uuid = ANY ($1) AND refusal IS NOT NULL', ids)
  expect(refused).toHaveLength(2)
  expect(await alertsOf(nodes[1]?.uuid ?? '')).toEqual(['abuse'])
})

test('a server cannot make devices of the addresses that move bytes at another one', async () => {
  const id = await buy()
  const visitors = [other, stranger]
  for (let minute = 0; minute < 5; minute += 1)
    await pass(
      [...at(id, home), ...visitors.map((address) => ({ id, address, isConnected: false }))],
      visitors.map((address) => ({ id, address, slices: 0 })),
      [],
    )
  expect(await refusedOn(id)).toEqual([[], [], []])
})

test('reports of all servers at once are judged without a conflict', async () => {
  const ids: string[] = []
  for (let count = 0; count < 4; count += 1) ids.push(await buy())
  const addressOf = (id: string, device: number) => `10.8.${ids.indexOf(id)}.${device}`
  const usesAt = (index: number) => ids.map((id) => ({ id, address: addressOf(id, index + 1) }))
  for (let minute = 0; minute < 5; minute += 1) {
    await pass(...nodes.map((_, index) => usesAt(index)))
    const now = product.clock.now().toISOString()
    await Promise.all(
      nodes.map((node, index) =>
        node.say({
          now,
          online: usesAt(index).map(({ id, address }) => ({ id, devices: [{ address, seenAt: now }] })),
          moved: {
            untilDate: now,
            addresses: usesAt(index).map(({ address }) => ({ address, slices: 2 ** movement.slices - 1 })),
          },
        }),
      ),
    )
  }
  const refused = await product.sql('SELECT FROM accounts WHERE uuid = ANY ($1) AND refusal IS NOT NULL', ids)
  expect(refused, 'five percent of four accounts are two').toHaveLength(2)
})

const seed = seedOf('devices over several ways')
/** A phone on its way, for some seconds in each network and at each server, beside another device at home. */
const journey = fc.array(
  fc.record({
    network: fc.nat(4),
    server: fc.nat(2),
    seconds: fc.integer({ min: 1, max: 90 }),
    lingers: fc.nat(600),
  }),
  { minLength: 8, maxLength: 20 },
)

test('random honest roaming over several servers never refuses anybody', async () => {
  const shifts = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9))
  const property = fc.asyncProperty(journey, shifts, async (stays, shiftOf) => {
    product.clock.set(begin)
    const id = await buy()
    const uses: { server: number; address: string; slices: Set<number>; goneAt: number }[] = []
    let time = 0
    for (const { network, server, seconds, lingers } of stays) {
      const address = `198.51.100.${network}`
      const known = uses.find((one) => one.server === server && one.address === address)
      const use = known ?? { server, address, slices: new Set<number>(), goneAt: 0 }
      if (!known) uses.push(use)
      // The slices of a host's minute, which ends some slices before the others'.
      const shift = (shiftOf[server] ?? 0) * movement.sliceSeconds
      const last = Math.floor((time + shift + seconds - 1) / movement.sliceSeconds)
      for (let slice = Math.floor((time + shift) / movement.sliceSeconds); slice <= last; slice += 1)
        use.slices.add(slice)
      time += seconds
      use.goneAt = Math.max(use.goneAt, time + lingers)
    }
    for (let number = 0; number < time / 60; number += 1)
      await passMinuteAt(
        product,
        nodes.map((exit, server) => ({
          exit,
          earlier: (shiftOf[server] ?? 0) * movement.sliceSeconds * 1_000,
          uses: [
            ...at(id, home),
            ...uses
              .filter((use) => use.server === server)
              .map(({ address, slices, goneAt }) => ({
                ...{ id, address, slices: slicesOf((slice) => slices.has(number * movement.slices + slice)) },
                isConnected: goneAt > number * 60,
              })),
          ],
        })),
      )
    expect(await refusedOn(id)).toEqual([[], [], []])
    expect(await product.sql('SELECT FROM abuse_findings WHERE account_uuid = $1', id)).toEqual([])
  })
  await fc.assert(property, { seed, numRuns: scale(4, 40) })
})
