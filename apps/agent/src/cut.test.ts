import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './agent.fixture.ts'
import { cutTcp } from './cut.ts'
import { createOwnAddresses } from './own-addresses.ts'
import { PortSet } from './ports.ts'

const folder = temporaryFolder()

/** A port of this host, and somebody who is connected to it. */
async function openPort() {
  const options = { allowHalfOpen: true }
  const server = createServer(options, (socket) =>
    socket.on('error', () => {}).on('data', (data) => socket.write(data)),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const port = String((server.address() as AddressInfo).port)
  return { server, port, peer: await connectTo(port) }
}
async function connectTo(port: string) {
  const peer = connect(Number(port), '127.0.0.1').on('error', () => {})
  await once(peer, 'connect')
  return peer
}
async function echoes(socket: Socket): Promise<string> {
  socket.write('still there')
  const [answer] = await once(socket, 'data')
  return String(answer)
}

const isRoot = process.getuid?.() === 0
test.skipIf(!isRoot)(
  `connections to the door end, and to nothing else${isRoot ? '' : ' (left out: not root)'}`,
  async () => {
    const [door, other] = [await openPort(), await openPort()]
    const peers = [door, other].map(({ peer }) => ({ port: peer.localPort ?? 0 }))
    const isEnded = new Promise((resolve) => door.peer.once('close', resolve))
    const [halfClosed, beside] = await Promise.all([connectTo(door.port), connectTo(door.port)])
    halfClosed.end()
    const ordered = [...peers.map(({ port }) => port), halfClosed.localPort ?? 0, 9]
    expect(await cutTcp([{ address: '127.0.0.1', ports: new Set(ordered) }], door.port)).toBe(2)
    await isEnded
    for (const peer of [other.peer, beside]) expect(await echoes(peer)).toBe('still there')
    for (const peer of [other.peer, beside, halfClosed]) peer.destroy()
    for (const { server } of [door, other]) server.close()
  },
)

test.skipIf(!isRoot)(
  'orders of 300 accounts with all their ports are carried out within five seconds',
  async () => {
    const door = await openPort()
    const peers = await Promise.all(Array.from({ length: 300 }, () => connectTo(door.port)))
    const orders = peers.map(({ localPort }) => ({
      ...{ address: '127.0.0.1', ports: new PortSet([...Array(300).keys(), localPort ?? 0]) },
    }))
    const began = performance.now()
    expect(await cutTcp(orders, door.port)).toBe(300)
    const took = performance.now() - began
    console.log(`300 connections ended in ${Math.round(took)} ms`)
    expect(took).toBeLessThan(5_000)
    expect(await echoes(door.peer)).toBe('still there')
    door.peer.destroy()
    door.server.close()
  },
)

test('own addresses: of this host, of its resolvers and of the control plane', async () => {
  const file = join(folder, 'resolv.conf')
  writeFileSync(
    file,
    '# nameserver 192.0.2.9\nnameserver 192.0.2.1\n  nameserver 2001:db8::53\nsearch example\n',
  )
  const own = await createOwnAddresses('https://203.0.113.99:8443', file)()
  for (const address of ['127.0.0.1', '192.0.2.1', '2001:db8::53', '203.0.113.99'])
    expect(own).toContain(address)
  expect(own).not.toContain('192.0.2.9')
})

test('a control plane that cannot be looked up and a missing file leave the rest', async () => {
  const own = await createOwnAddresses('https://nowhere.invalid:8443', join(folder, 'none'))()
  expect(own).toContain('127.0.0.1')
})
