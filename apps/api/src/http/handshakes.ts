import type { Socket } from 'node:net'
import type { Server, TLSSocket } from 'node:tls'
import { networkOf, readAddress } from '../lib/addresses.ts'

/** Enough for an honest agent on a slow line. */
export const handshakeWithin = 10_000
/** Enough for all nodes, and few enough for the memory of a small machine. */
const connectionsMax = 4_096
/** Unfinished handshakes in total; the remaining connections are for authenticated nodes. */
export const handshakesMax = 1_024
/** Unfinished handshakes per network. Many nodes may share one address and reconnect at the same time. */
export const handshakesOfNetwork = 64
/** An agent keeps three connections; those of a restarted one may linger for a while. */
export const connectionsOfNode = 16

const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

/** Ends the oldest handshakes above the limit, so that a new one always has time to finish. */
export function limitHandshakes(server: Server): { end(): void } {
  server.maxConnections = connectionsMax
  const underWay = new Map<string, { socket: Socket; network: string }>()
  const byNetwork = new Map<string, Set<string>>()
  const settle = (name: string) => {
    const network = underWay.get(name)?.network
    if (network === undefined) return
    underWay.delete(name)
    const names = byNetwork.get(network)
    names?.delete(name)
    if (names?.size === 0) byNetwork.delete(network)
  }
  const drop = (name: string | undefined) => {
    if (name === undefined) return
    underWay.get(name)?.socket.destroy()
    settle(name)
  }
  server.on('connection', (socket: Socket) => {
    const address = readAddress(socket.remoteAddress)
    if (!address) return void socket.destroy()
    const network = networkOf(address)
    const ofNetwork = byNetwork.get(network)?.size ?? 0
    // A busy network displaces its own handshakes, not those of others.
    if (ofNetwork >= handshakesOfNetwork || underWay.size >= handshakesMax)
      drop(oldestOf(byNetwork.get(network) ?? underWay.keys()))
    const name = nameOf(socket)
    underWay.set(name, { socket, network })
    byNetwork.set(network, (byNetwork.get(network) ?? new Set()).add(name))
    socket.once('close', () => settle(name))
  })
  server.on('secureConnection', (socket: TLSSocket) => settle(nameOf(socket)))
  limitConnectionsOfNodes(server)
  // Runs before other listeners: a write before the handshake is done would keep the connection open.
  server.prependListener('tlsClientError', (_, socket) => socket.destroy())
  return {
    end: () => {
      for (const { socket } of underWay.values()) socket.destroy()
    },
  }
}

const oldestOf = <T>(inOrder: Iterable<T>): T | undefined => {
  for (const oldest of inOrder) return oldest
  return undefined
}

/** One stolen certificate must not take the connections of all other nodes. */
function limitConnectionsOfNodes(server: Server): void {
  const byNode = new Map<string, Set<TLSSocket>>()
  server.on('secureConnection', (socket: TLSSocket) => {
    const subject = socket.authorized && socket.getPeerX509Certificate()?.subject
    if (!subject) return
    const open = byNode.get(subject) ?? new Set()
    byNode.set(subject, open.add(socket))
    if (open.size > connectionsOfNode) oldestOf(open)?.destroy()
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0 && byNode.get(subject) === open) byNode.delete(subject)
    })
  })
}
