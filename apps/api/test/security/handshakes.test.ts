import { once } from 'node:events'
import type { Agent } from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as connectByTls } from 'node:tls'
import { hello } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { issueNodeCertificate } from '../../src/features/authority/authority.ts'
import { connectionsOfNode, handshakesMax, handshakesOfNetwork } from '../../src/http/handshakes.ts'
import { nodesForAllTests } from '../nodes.ts'
import { until } from '../until.ts'

const product = nodesForAllTests()
let port: number
beforeAll(async () => {
  port = Number(new URL(product.nodesUrl).port)
})

const greet = (agent: Agent) =>
  product.ask(agent, hello, { coreVersion: '', now: product.clock.now().toISOString() })

/** A connection on which nothing is ever sent. */
function silent(localAddress: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  return socket
}

/** From each network so many, and one network after the other: the kernel queues no more than 511 that are not accepted yet. */
async function flood(networks: number, count: number): Promise<Socket[]> {
  const opened: Socket[] = []
  for (let network = 1; network <= networks; network += 1) {
    const sockets = Array.from({ length: count }, () => silent(`127.9.0.${network}`))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    opened.push(...sockets)
  }
  return opened
}

test('beyond the limit the oldest handshake of the network ends, or the oldest of all for a new network', async () => {
  const closed: number[] = []
  const held: Socket[] = []
  const hold = async (address: string) => {
    const index = held.length
    const socket = silent(address)
    held.push(socket)
    socket.once('close', () => closed.push(index))
    await once(socket, 'connect')
  }
  const networks = Math.ceil(handshakesMax / handshakesOfNetwork)
  for (let index = 0; index < handshakesMax; index += 1) await hold(`127.9.1.${1 + (index % networks)}`)
  await hold('127.9.1.2')
  await until(() => closed.length > 0, 'the oldest of that network to be hung up on')
  await hold('127.9.2.1')
  await until(() => closed.length > 1, 'the oldest of all to be hung up on')
  expect(closed).toEqual([1, 0])
  for (const socket of held) socket.destroy()
})

test('one node that opens connection after connection leaves room for the others', async () => {
  const identity = await issueNodeCertificate(product.ctx, await product.server())
  const open = async () => {
    const { ca, certificate, key } = identity
    const socket = connectByTls({ port, host: '127.0.0.1', ca, cert: certificate, key })
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    return { socket, closed: once(socket, 'close') }
  }
  const held = []
  for (let count = 0; count < connectionsOfNode + 3; count += 1) held.push(await open())
  await Promise.all(held.slice(0, 3).map(({ closed }) => closed))
  expect(held.slice(3).filter(({ socket }) => socket.destroyed)).toEqual([])
  await greet(await product.nodeOf(await product.server()))
  for (const { socket } of held) socket.destroy()
})

test('agents get through while strangers open more connections than there is room for', async () => {
  const server = await product.server()
  const opened = await flood(65, 64)
  for (let count = 0; count < 5; count += 1) {
    opened.push(...(await flood(65, 2)))
    const began = performance.now()
    await greet(await product.nodeOf(server))
    expect(performance.now() - began).toBeLessThan(5_000)
  }
  for (const socket of opened) socket.destroy()
})
