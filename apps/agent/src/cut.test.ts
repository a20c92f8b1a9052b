import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './agent.fixture.ts'
import { cutTcp } from './cut.ts'
import { createOwnAddresses } from './own-addresses.ts'

const folder = temporaryFolder()

/** A port of this host, and somebody who is connected to it. */
async function openPort() {
  const server = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const peer = connect(port, '127.0.0.1').on('error', () => {})
  await once(peer, 'connect')
  return { server, port: String(port), peer }
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
    const peers = [door, other].map(({ peer }) => ({ address: '127.0.0.1', port: peer.localPort ?? 0 }))
    const isEnded = new Promise((resolve) => door.peer.once('close', resolve))
    expect(await cutTcp(peers, door.port)).toBe(1)
    await isEnded
    expect(await echoes(other.peer)).toBe('still there')
    other.peer.destroy()
    for (const { server } of [door, other]) server.close()
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
