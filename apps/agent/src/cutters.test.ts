import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rememberConnections } from './connections.ts'
import { createHopCutter, createRelayCutter, createUdpCutter } from './cutters.ts'

test('an order goes out once, again for a new connection, and every 30 seconds while the account is online', async () => {
  const connections = rememberConnections()
  let now = 0
  const relays = createRelayCutter(connections, () => now)
  const presence = { id: randomUUID(), address: '203.0.113.9' }
  const note = (port: number, id = presence.id) => connections.note({ ...presence, id, port })
  const sent = async (isOnline = true) => {
    await relays.cut(isOnline ? [presence] : [])
    const orders = relays.orders()
    expect(relays.isDue()).toBe(orders.length > 0)
    relays.markDelivered(orders)
    return orders.map(({ port }) => port)
  }
  expect(await sent()).toEqual([])
  note(1)
  note(2)
  await relays.cut([presence])
  expect(relays.orders(), 'until a report was delivered').toHaveLength(1)
  expect(await sent()).toEqual([2])
  expect(await sent()).toEqual([])
  note(3)
  expect(await sent()).toEqual([3])
  now = 30_000
  expect(await sent()).toEqual([3])
  now = 60_000
  expect(await sent(false)).toEqual([])
})

const canDrop = process.getuid?.() === 0 && existsSync('/usr/sbin/nft')
const leftOut = canDrop ? '' : ' (left out: not root)'
const address = '203.0.113.9'

/** A table as the firewall of a host has it. */
async function withTable(act: (table: string, nft: (text: string) => void) => Promise<void>) {
  const table = `kelid_cutters_${process.pid}`
  const nft = (text: string) => void execFileSync('nft', ['-f', '-'], { input: text, encoding: 'utf8' })
  const sets = ['cut', 'live'].flatMap((name) =>
    ([4, 6] as const).map(
      (family) =>
        `set ${name}${family} { type ipv${family}_addr . inet_service; flags timeout; timeout 20s; }`,
    ),
  )
  const hopSets = ([4, 6] as const).map(
    (family) => `set blocked${family} { type ipv${family}_addr; flags timeout; }
      set kept${family} { type ipv${family}_addr . inet_service; flags timeout; }`,
  )
  nft(`table inet ${table} { ${[...sets, ...hopSets].join('\n')}\n}`)
  try {
    await act(table, nft)
  } finally {
    nft(`delete table inet ${table}`)
  }
}
const liveAt = (table: string, ports: readonly number[]) => `flush set inet ${table} live4
  add element inet ${table} live4 { ${ports.map((port) => `${address} . ${port}`).join(', ')} }`

test.skipIf(!canDrop)(
  `hundreds of accounts behind one address are cut with one look at each port${leftOut}`,
  () =>
    withTable(async (table, nft) => {
      const ports = Array.from({ length: 300 }, (_, index) => 1_000 + index)
      nft(liveAt(table, ports))
      let looks = 0
      const ownerOf = (_: string, port: number) => {
        looks += 1
        return `account-${port}`
      }
      const cutter = createUdpCutter(table, { of: () => undefined, ownerOf })
      const presences = ports.map((port) => ({ id: `account-${port}`, address }))
      await cutter.cut(presences.slice(0, 150))
      await cutter.cut(presences)
      const listed = execFileSync('nft', ['list', 'set', 'inet', table, 'cut4'], { encoding: 'utf8' })
      expect([...listed.matchAll(/9 \. \d+/g)].length).toBe(300)
      expect(looks).toBe(300 + 150)
    }),
)

test.skipIf(!canDrop)(`of UDP clients the account's own are cut, else those of nobody${leftOut}`, () =>
  withTable(async (table, nft) => {
    const live = (...ports: number[]) => nft(liveAt(table, ports))
    const dropped = () =>
      [
        ...execFileSync('nft', ['list', 'set', 'inet', table, 'cut4'], { encoding: 'utf8' }).matchAll(
          /9 \. (\d+)/g,
        ),
      ].map(([, port]) => Number(port))
    let now = 0
    const connections = rememberConnections()
    const cutter = createUdpCutter(table, connections, () => now)
    const [gone, udpOnly] = [
      { id: 'gone', address },
      { id: 'udp alone', address },
    ]
    for (const [id, port] of [
      ['gone', 1],
      ['gone', 2],
      ['neighbour', 2],
      ['gone', 3],
    ] as const)
      connections.note({ id, address, port })
    live(1, 2, 9)
    await cutter.cut([gone])
    expect(dropped(), 'neither a dead port, nor one that is a neighbour’s by now').toEqual([1])
    await cutter.cut([gone])
    expect(dropped(), 'its idle connection is in the online list for a while').toEqual([1])
    await cutter.cut([], [udpOnly])
    expect(dropped(), 'not online').toEqual([1])
    now = 17_000
    await cutter.cut([gone])
    expect(dropped().sort()).toEqual([1, 9])
    await cutter.release(new Set(['gone']))
    expect(dropped()).toEqual([])
    live(2, 8)
    await cutter.cut([udpOnly])
    expect(dropped()).toEqual([8])
    nft(`delete set inet ${table} live4`)
    await cutter.cut([gone])
    expect(dropped().sort(), 'an older firewall').toEqual([1, 3, 8])
  }),
)

test.skipIf(!canDrop)(`where apps hop, the whole address is blocked but for others there${leftOut}`, () =>
  withTable(async (table, nft) => {
    const inSet = (set: string) =>
      [
        ...execFileSync('nft', ['list', 'set', 'inet', table, set], { encoding: 'utf8' }).matchAll(
          /(203\.0\.113\.\d+(?: \. \d+)?) timeout/g,
        ),
      ].map(([, element]) => element)
    let now = 0
    const connections = rememberConnections()
    const cutter = createHopCutter(table, connections, () => now)
    const gone = { id: 'gone', address }
    connections.note({ ...gone, port: 1 })
    connections.note({ id: 'neighbour', address, port: 2 })
    connections.note({ id: 'gone too', address, port: 3 })
    nft(liveAt(table, [1, 2, 3, 9]))
    await cutter.cut([gone, { id: 'gone too', address }])
    expect(inSet('blocked4')).toEqual([address])
    expect(inSet('kept4'), 'neither those that are cut nor those of nobody').toEqual([`${address} . 2`])
    await cutter.release(new Set(['gone']))
    expect(inSet('blocked4')).toEqual([])
    await cutter.cut([{ id: 'gone too', address }])
    expect(inSet('blocked4'), 'once until it is offline').toEqual([])
    now = 20_000
    await cutter.cut([{ id: 'gone too', address }])
    expect(inSet('blocked4'), 'or online after that').toEqual([address])
  }),
)
