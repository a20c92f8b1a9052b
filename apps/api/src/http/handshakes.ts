import type { Socket } from 'node:net'
import type { Server, TLSSocket } from 'node:tls'
import { networkOf, readAddress } from '../lib/addresses.ts'

/** A slow line needs seconds; longer than this nobody who means to ask something takes. */
export const handshakeWithin = 10_000
/** As many at a time as there could be nodes, and few enough for the memory of a small machine. */
export const connectionsMax = 4_096
/** Handshakes under way from one network. Many nodes may stand behind one address and come back all at once. */
export const handshakesMax = 64

const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

/** Whoever opens connections and never says who they are keeps few of them, and others have room. */
export function limitHandshakes(server: Server): { end(): void } {
  server.maxConnections = connectionsMax
  const underWay = new Map<string, { socket: Socket; network: string }>()
  const byNetwork = new Map<string, number>()
  const count = (network: string, by: number) => {
    const total = (byNetwork.get(network) ?? 0) + by
    if (total > 0) byNetwork.set(network, total)
    else byNetwork.delete(network)
  }
  const settle = (name: string) => {
    const network = underWay.get(name)?.network
    if (network !== undefined && underWay.delete(name)) count(network, -1)
  }
  server.on('connection', (socket: Socket) => {
    const address = readAddress(socket.remoteAddress)
    const network = address && networkOf(address)
    if (!network || (byNetwork.get(network) ?? 0) >= handshakesMax) return void socket.destroy()
    const name = nameOf(socket)
    underWay.set(name, { socket, network })
    count(network, 1)
    socket.once('close', () => settle(name))
  })
  server.on('secureConnection', (socket: TLSSocket) => settle(nameOf(socket)))
  // Before anybody answers: what is written before a handshake is done waits for it, and the connection with it.
  server.prependListener('tlsClientError', (_, socket) => socket.destroy())
  return {
    end: () => {
      for (const { socket } of underWay.values()) socket.destroy()
    },
  }
}
