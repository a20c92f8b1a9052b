import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { desired, report, wrap } from '@kelid/contract'
import { expect, test } from 'vitest'
import { temporaryFolder } from './agent.fixture.ts'
import { openControlPlane } from './control-plane.fixture.ts'
import { runNode } from './node.ts'
import { PortSet } from './ports.ts'

const folder = temporaryFolder()
const isRoot = process.getuid?.() === 0
test.skipIf(!isRoot)(
  `a tunnel's agent drops orders older than two minutes, and understands those of older control planes${isRoot ? '' : ' (left out: not root)'}`,
  async () => {
    const server = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const address = '127.0.0.77'
    const peers = Array.from({ length: 4 }, () =>
      connect({ port, host: '127.0.0.1', localAddress: address }).on('error', () => {}),
    )
    await Promise.all(peers.map((peer) => once(peer, 'connect')))
    const [older, old, fresh, stale] = peers.map(({ localPort }, id) => ({
      id,
      address,
      port: localPort ?? 0,
    }))
    const now = Date.now()
    const ago = (seconds: number) => new Date(now - 1000 * seconds).toISOString()
    const allPorts = new PortSet(peers.map(({ localPort }) => localPort ?? 0)).encode()
    const cuts = [
      older,
      { ...old, port: 9, ports: new PortSet([old?.port ?? 0]).encode(), at: ago(119) },
      { ...fresh, ports: 'broken', at: ago(0) },
      { ...stale, ports: allPorts, at: ago(121) },
    ]
    const list = { epoch: 'a', number: 1, digest: '', mayShrink: false, accounts: [], cuts }
    const time = { epoch: 'a', now: ago(0) }
    const { config, close } = await openControlPlane(folder, (request, reply) => {
      const answer =
        request.url === desired.path ? wrap(desired, { ...list, ...time } as never) : wrap(report, time)
      reply.end(JSON.stringify(answer))
    })
    const stopping = new AbortController()
    const closed = peers.map((peer) => new Promise((resolve) => peer.once('close', resolve)))
    const at = (name: string) => join(folder, name)
    const files = { accessLog: at('access.log'), restart: at('restart'), loadFirewall: at('load-firewall') }
    const host = {
      kind: 'tunnel' as const,
      api: '127.0.0.1:1',
      door: String(port),
      core: 'none',
      table: 'none',
    }
    const node = { ...config, ...host, ...files }
    const said: string[] = []
    const running = runNode(node, '1.0', (line) => said.push(line), stopping.signal)
    await Promise.race([running, Promise.all(closed.slice(0, 3))])
    expect(peers[3]?.closed).toBe(false)
    stopping.abort()
    await running
    expect(said).toContain('closed 3 connections by 3 orders')
    peers[3]?.destroy()
    server.close()
    close()
  },
)
