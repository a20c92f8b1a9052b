import { randomUUID } from 'node:crypto'
import {
  addServer,
  addTunnel,
  changeServer,
  changeTunnel,
  getServers,
  getTunnels,
  removeHost,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { sampleServer, sampleTunnel, trojanServer } from '../../../test/sample-hosts.ts'

const product = productForAllTests()

let machines = 0
const newAddress = () => {
  machines += 1
  return `203.0.113.${machines}`
}
const addServerAt = (serverIPV4: string, serverName: string, change: object = {}) =>
  product.admin.call(addServer, {
    ...sampleServer(),
    serverUUID: randomUUID(),
    serverName,
    serverIPV4,
    ...change,
  })
const addTunnelAt = (tunnelIPV4: string, tunnelName: string) =>
  product.admin.call(addTunnel, { ...sampleTunnel(), tunnelUUID: randomUUID(), tunnelName, tunnelIPV4 })
const move = async (kind: 'server' | 'tunnel', uuid: string, ipv4: string) =>
  kind === 'server'
    ? product.admin.call(changeServer, { serverUUID: uuid, serverIPV4: ipv4, countryId: 276 })
    : product.admin.call(changeTunnel, { tunnelUUID: uuid, tunnelIPV4: ipv4 })
type Refused = Awaited<ReturnType<typeof addServerAt | typeof addTunnelAt | typeof move>>
const taken = ({ errorType, envelope }: Refused) => [errorType, envelope.response.error?.errorContent[0]]
const byName = (address: string, name: string) => [
  'ADDRESS_TAKEN',
  `The address ${address} belongs to ${name} already; two hosts on one machine would overwrite each other`,
]

const kinds = { server: addServerAt, tunnel: addTunnelAt } as const

test.each([
  ['server', 'server'],
  ['server', 'tunnel'],
  ['tunnel', 'server'],
  ['tunnel', 'tunnel'],
] as const)(
  'at the address of a %s no %s is added or moved to, and the refusal names the occupant',
  async (kind, other) => {
    const address = newAddress()
    const occupant = `${kind}-there-${other}`
    ;(await kinds[kind](address, occupant)).answer()
    expect(taken(await kinds[other](address, 'late'))).toEqual(byName(address, occupant))

    const elsewhere = newAddress()
    const added = (await kinds[other](elsewhere, 'mover')).answer()
    const uuid = 'serverUUID' in added ? added.serverUUID : added.tunnelUUID
    expect(taken(await move(other, uuid, address))).toEqual(byName(address, occupant))
    expect((await move(other, uuid, newAddress())).errorType).toBeUndefined()
    // The address that it has left is free again.
    expect((await kinds[kind](elsewhere, 'next')).errorType).toBeUndefined()
  },
)

test('a host is not in its own way, and the same body again is the same host', async () => {
  const address = newAddress()
  const body = { ...sampleServer(), serverUUID: randomUUID(), serverIPV4: address }
  const first = await product.admin.ask(addServer, body)
  expect(await product.admin.ask(addServer, body)).toEqual(first)
  expect((await move('server', body.serverUUID, address)).errorType).toBeUndefined()
})

test('the address of a removed host is free again', async () => {
  const address = newAddress()
  const { serverUUID } = (await addServerAt(address, 'gone')).answer()
  await product.admin.ask(removeHost, { hostUUID: serverUUID })
  expect((await addTunnelAt(address, 'next')).errorType).toBeUndefined()
})

test('hosts that shared an address before the rule can be moved apart, and set up where they are', async () => {
  const address = newAddress()
  const { serverUUID } = (await addServerAt(address, 'old')).answer()
  const { tunnelUUID } = (await addTunnelAt(newAddress(), 'old')).answer()
  await product.setRow('tunnels', tunnelUUID, { ipv4: address })
  expect((await move('server', serverUUID, address)).errorType).toBeUndefined()
  expect((await move('tunnel', tunnelUUID, newAddress())).errorType).toBeUndefined()
})

test.each([
  ['by its URL', { serverURL: 'same.example.com' }, { serverURL: 'SAME.example.com/path' }],
  [
    'by its SNI address',
    { serverURL: 'one.example.com', serverSNIAddress: 'sni.example.com' },
    { serverURL: 'sni.example.com' },
  ],
])('two servers behind tunnels of one type have two TLS names: %s', async (_, first, second) => {
  const server = (name: string, change: object) =>
    addServerAt(newAddress(), name, {
      ...trojanServer(),
      serverIPV4: newAddress(),
      serverName: name,
      ...change,
    })
  ;(await server('first', first)).answer()
  const refused = await server('second', second)
  expect(taken(refused)).toEqual([
    'TLS_NAME_TAKEN',
    expect.stringMatching(/^first has the TLS name (same|sni)\.example\.com already/),
  ])
  expect((await server('third', { ...second, serverTunnelType: 'ssh' })).errorType).toBeUndefined()
  expect((await addServerAt(newAddress(), 'direct', second)).errorType).toBeUndefined()
  expect((await product.admin.ask(getServers, { search: 'second' })).items).toEqual([])
})

test('of parallel adds at one address exactly one succeeds, without a deadlock', async () => {
  for (let round = 0; round < 10; round += 1) {
    const address = newAddress()
    const name = `round-${round}`
    const replies = await Promise.all([
      ...[1, 2, 3].map(() => addServerAt(address, name)),
      ...[1, 2, 3].map(() => addTunnelAt(address, name)),
    ])
    expect(replies.map(({ errorType = 'done' }) => errorType).sort()).toEqual([
      ...Array(5).fill('ADDRESS_TAKEN'),
      'done',
    ])
    const there = [
      ...(await product.admin.ask(getServers, { search: name })).items,
      ...(await product.admin.ask(getTunnels, { search: name })).items,
    ]
    expect(there).toHaveLength(1)
  }
})

test('of parallel moves to one address exactly one succeeds', async () => {
  const uuids = []
  for (let index = 0; index < 6; index += 1)
    uuids.push((await addServerAt(newAddress(), `mover-${index}`)).answer().serverUUID)
  const address = newAddress()
  const replies = await Promise.all(uuids.map((uuid) => move('server', uuid, address)))
  expect(replies.map(({ errorType = 'done' }) => errorType).sort()).toEqual([
    ...Array(5).fill('ADDRESS_TAKEN'),
    'done',
  ])
})
