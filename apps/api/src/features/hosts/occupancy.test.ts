import { randomUUID } from 'node:crypto'
import { addServer, getServers, removeHost } from '@kelid/contract'
import { expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { sampleServer, trojanServer } from '../../../test/sample-hosts.ts'
import { type BothKinds, bothKinds } from './hosts.fixture.ts'

const product = productForAllTests()
const [server, tunnel] = bothKinds as [BothKinds, BothKinds]

let machines = 0
const newAddress = () => {
  machines += 1
  return `203.0.113.${machines}`
}
const add = (kind: BothKinds, IPV4: string, Name: string, UUID: string = randomUUID()) =>
  kind.add(product.admin, UUID, { IPV4, Name })
/** The UUID of a host that was added there. */
const added = async (kind: BothKinds, address: string, name: string) => {
  const uuid = randomUUID()
  ;(await add(kind, address, name, uuid)).answer()
  return uuid
}
const move = async (kind: BothKinds, uuid: string, address: string) =>
  (await kind.change(product.admin, uuid, address)).errorType
type Refused = Pick<Awaited<ReturnType<typeof add>>, 'errorType' | 'envelope'>
const taken = ({ errorType, envelope }: Refused) => [errorType, envelope.response.error?.errorContent[0]]
const byName = (address: string, name: string) => [
  'ADDRESS_TAKEN',
  `The address ${address} belongs to ${name} already; two hosts on one machine would overwrite each other`,
]

test.each(bothKinds.flatMap((kind) => bothKinds.map((other) => ({ kind, other }))))(
  'at the address of a $kind.kind no $other.kind is added or moved to, and the refusal names the occupant',
  async ({ kind, other }) => {
    const address = newAddress()
    const occupant = `${kind.kind}-there-${other.kind}`
    await added(kind, address, occupant)
    expect(taken(await add(other, address, 'late'))).toEqual(byName(address, occupant))

    const elsewhere = newAddress()
    const uuid = await added(other, elsewhere, 'mover')
    expect(taken(await other.change(product.admin, uuid, address))).toEqual(byName(address, occupant))
    expect(await move(other, uuid, newAddress())).toBeUndefined()
    expect((await add(kind, elsewhere, 'next')).errorType, 'the address that it left').toBeUndefined()
  },
)

test('a host does not occupy its own address, and the same body again is the same host', async () => {
  const body = { ...sampleServer(), serverUUID: randomUUID(), serverIPV4: newAddress() }
  const first = await product.admin.ask(addServer, body)
  expect(await product.admin.ask(addServer, body)).toEqual(first)
  expect(await move(server, body.serverUUID, body.serverIPV4)).toBeUndefined()
})

test('the address of a removed host is free again', async () => {
  const address = newAddress()
  await product.admin.ask(removeHost, { hostUUID: await added(server, address, 'removed') })
  expect((await add(tunnel, address, 'next')).errorType).toBeUndefined()
})

test('hosts that shared an address before the rule can be moved apart, and set up where they are', async () => {
  const address = newAddress()
  const [serverUUID, tunnelUUID] = [
    await added(server, address, 'old'),
    await added(tunnel, newAddress(), 'old'),
  ]
  await product.setRow('tunnels', tunnelUUID, { ipv4: address })
  expect(await move(server, serverUUID, address)).toBeUndefined()
  expect(await move(tunnel, tunnelUUID, newAddress())).toBeUndefined()
})

test.each([
  ['by its URL', { serverURL: 'same.example.com' }, { serverURL: 'SAME.example.com/path' }],
  [
    'by its SNI address',
    { serverURL: 'one.example.com', serverSNIAddress: 'sni.example.com' },
    { serverURL: 'sni.example.com' },
  ],
])('two servers behind tunnels of one type have two TLS names: %s', async (_, first, second) => {
  const direct = (serverName: string, change: object) =>
    product.admin.call(addServer, { ...sampleServer(), serverUUID: randomUUID(), ...change, serverName })
  const server = (name: string, change: object) => direct(name, { ...trojanServer(), ...change })
  ;(await server('first', first)).answer()
  const refused = await server('second', second)
  expect(taken(refused)).toEqual([
    'TLS_NAME_TAKEN',
    expect.stringMatching(/^first has the TLS name (same|sni)\.example\.com already/),
  ])
  expect((await server('third', { ...second, serverTunnelType: 'ssh' })).errorType).toBeUndefined()
  expect((await direct('direct', second)).errorType).toBeUndefined()
  expect((await product.admin.ask(getServers, { search: 'second' })).items).toEqual([])
})

test('of parallel adds at one address exactly one succeeds, without a deadlock', async () => {
  for (let round = 0; round < 10; round += 1) {
    const address = newAddress()
    const name = `round-${round}`
    const kinds = [server, server, server, tunnel, tunnel, tunnel]
    const replies = await Promise.all(kinds.map((kind) => add(kind, address, name)))
    expect(replies.map(({ errorType = 'done' }) => errorType).sort()).toEqual(oneOfSix)
    const lists = await Promise.all(bothKinds.map((kind) => kind.list(product.admin, { search: name })))
    expect(lists.flatMap(({ items }) => items)).toHaveLength(1)
  }
})

const oneOfSix = [...Array(5).fill('ADDRESS_TAKEN'), 'done']

test('of parallel moves to one address exactly one succeeds', async () => {
  const uuids: string[] = []
  for (let index = 0; index < 6; index += 1) uuids.push(await added(server, newAddress(), `mover-${index}`))
  const address = newAddress()
  const outcomes = await Promise.all(uuids.map(async (uuid) => (await move(server, uuid, address)) ?? 'done'))
  expect(outcomes.sort()).toEqual(oneOfSix)
})
