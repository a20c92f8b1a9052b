import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addServer, getServers, removeHost } from '@kelid/contract'
import { expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { sampleOf, sampleServer, trojanServer } from '../../../test/sample-hosts.ts'
import { provisioningDir } from '../provisioning/playbook.ts'
import { type BothKinds, bothKinds } from './hosts.fixture.ts'
import { maxServices } from './occupancy.ts'
import { localPorts } from './ports.ts'

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
const portTaken = (address: string, name: string, port: number) => [
  'PORT_TAKEN',
  `${name} has port ${port} at ${address} already; choose another port`,
]
const tcp = {
  ...sampleOf('vless-reality').server,
  serverTunnelActive: false,
  serverTunnelType: '',
  serverPort: 443,
} as const
const overTcp = (serverIPV4: string, serverName: string, change: object = {}) =>
  product.admin.call(addServer, { ...tcp, serverUUID: randomUUID(), serverIPV4, serverName, ...change })

test('services of one machine have different ports, and a refusal names the other one', async () => {
  const address = newAddress()
  await added(tunnel, address, 'there')
  expect(taken(await overTcp(address, 'late'))).toEqual(portTaken(address, 'there', 443))
  expect((await overTcp(address, 'beside', { serverPort: 8443 })).errorType).toBeUndefined()
  await added(server, address, 'over-udp')
  expect(taken(await add(server, address, 'late'))).toEqual(portTaken(address, 'over-udp', 8443))

  const elsewhere = newAddress()
  const uuid = await added(server, elsewhere, 'mover')
  expect(taken(await server.change(product.admin, uuid, address))).toEqual(
    portTaken(address, 'over-udp', 8443),
  )
  expect((await server.change(product.admin, uuid, address, { Port: 443 })).errorType).toBeUndefined()
  const back = await server.change(product.admin, uuid, address, { Port: 8443 })
  expect(taken(back)).toEqual(portTaken(address, 'over-udp', 8443))
  expect((await add(server, elsewhere, 'next')).errorType, 'the address that it left').toBeUndefined()
})

test('ports of port hopping belong to their service', async () => {
  const address = newAddress()
  const hops = (Name: string, Port: number, HopPorts: string) =>
    server.add(product.admin, randomUUID(), { IPV4: address, Name, Port, HopPorts })
  expect((await hops('first', 443, '20000-20100')).errorType).toBeUndefined()
  expect(taken(await hops('hops', 20_050, ''))).toEqual(portTaken(address, 'first', 20_050))
  expect(taken(await hops('hops', 444, '20100-20200'))).toEqual(portTaken(address, 'first', 20_100))
  expect((await hops('hops', 444, '20101-20200')).errorType).toBeUndefined()
})

test('a machine carries one tunnel, and nine services', async () => {
  const address = newAddress()
  await added(tunnel, address, 'tunnel')
  const second = await tunnel.add(product.admin, randomUUID(), { IPV4: address, Name: 'second', Port: 444 })
  expect(taken(second)).toEqual([
    'TUNNEL_TAKEN',
    `tunnel at ${address} is a tunnel already, and a machine carries one tunnel only`,
  ])
  for (let port = 1; port <= 8; port += 1)
    expect((await overTcp(address, `s-${port}`, { serverPort: port })).errorType).toBeUndefined()
  expect(taken(await overTcp(address, 'tenth', { serverPort: 9 }))).toEqual([
    'MACHINE_FULL',
    `The machine at ${address} carries 9 services already`,
  ])
})

const numberOf = async ({ table }: BothKinds, uuid: string) =>
  (await product.sql(`SELECT service FROM ${table} WHERE uuid = $1`, uuid))[0].service

test('services have numbers of their own on their machine, and keep them where they can', async () => {
  const [address, elsewhere] = [newAddress(), newAddress()]
  const first = await added(server, address, 'first')
  const second = await added(tunnel, address, 'second')
  expect([await numberOf(server, first), await numberOf(tunnel, second)]).toEqual([1, 2])
  expect(await move(tunnel, second, elsewhere)).toBeUndefined()
  expect(await numberOf(tunnel, second)).toBe(2)
  expect(await move(server, first, elsewhere)).toBeUndefined()
  expect(await numberOf(server, first)).toBe(1)
  const third = await added(server, newAddress(), 'third')
  expect((await server.change(product.admin, third, elsewhere, { Port: 444 })).errorType).toBeUndefined()
  expect(await numberOf(server, third)).toBe(3)
})

test('inner ports of another service are taken too', async () => {
  const address = newAddress()
  await added(tunnel, address, 'tunnel')
  for (const port of [20_005, 11_000, 10_095])
    expect(taken(await overTcp(address, 'late', { serverPort: port }))).toEqual(
      portTaken(address, 'tunnel', port),
    )
  expect((await overTcp(address, 'beside', { serverPort: 4_443 })).errorType).toBeUndefined()
  const playbook = (file: string) => readFileSync(join(provisioningDir, file), 'utf8')
  const { relays, moreRelays, exits, cores } = localPorts
  expect(playbook('roles/base/vars/main.yml')).toContain(
    `relay_first_port: ${relays.first}\nrelay_last_port: ${relays.last}\n`,
  )
  expect(playbook('roles/base/vars/main.yml')).toContain(
    `relay_more_first_port: ${moreRelays.first}\nrelay_more_last_port: ${moreRelays.last}\n`,
  )
  expect(playbook('service.yml')).toContain(`first_inner_port: ${exits.first}\n`)
  expect(exits.last).toBe(exits.first + maxServices - 1)
  expect(playbook('service.yml')).toContain(`127.0.0.1:{{ ${cores.first - 10} + own_number | int * 10 }}`)
  expect(cores.last).toBe(cores.first - 9 + maxServices * 10)
})

test('a service that stays does not take the number of one that is being cleaned', async () => {
  const address = newAddress()
  const [first, stays] = [await added(tunnel, address, 'leaves'), randomUUID()]
  const body = { serverUUID: stays, serverIPV4: address, serverName: 'stays', serverPort: 8443 }
  await product.admin.ask(addServer, { ...tcp, ...body })
  await product.sql('UPDATE provision_runs SET has_reached = true WHERE subject_uuid = $1', first)
  await product.admin.ask(removeHost, { hostUUID: first })
  const change = await server.change(product.admin, stays, address, { Port: 443 })
  expect(taken(change)[0]).toBe('ADDRESS_IN_CLEANING')
  expect(await numberOf(server, stays)).toBe(2)
  expect((await overTcp(address, 'third')).errorType).toBeUndefined()
})

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

test('of parallel adds at one port exactly one succeeds, without a deadlock', async () => {
  for (let round = 0; round < 10; round += 1) {
    const address = newAddress()
    const name = `round-${round}`
    const rivals = Array.from({ length: 3 }, () => [overTcp(address, name), add(tunnel, address, name)])
    const replies = await Promise.all(rivals.flat())
    expect(replies.map(({ errorType = 'done' }) => errorType).sort()).toEqual(oneOfSix)
    const lists = await Promise.all(bothKinds.map((kind) => kind.list(product.admin, { search: name })))
    expect(lists.flatMap(({ items }) => items)).toHaveLength(1)
  }
})

const oneOfSix = [...Array(5).fill('PORT_TAKEN'), 'done']

test('of parallel moves to one port exactly one succeeds', async () => {
  const uuids: string[] = []
  for (let index = 0; index < 6; index += 1) uuids.push(await added(server, newAddress(), `mover-${index}`))
  const address = newAddress()
  const outcomes = await Promise.all(uuids.map(async (uuid) => (await move(server, uuid, address)) ?? 'done'))
  expect(outcomes.sort()).toEqual(oneOfSix)
})
