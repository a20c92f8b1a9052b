import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { stranger, strangersProtocol } from '@kelid/contract'
import { readStranger, type Stranger } from '../features/nodes/nodes.ts'

/** At a time, all together, so that they never take the room of those who belong here; and none for long. */
export const strangersMax = 16
const strangerWithin = 5_000

const within = new WeakMap<object, Stranger>()

/** Who came in by this connection although our own authority does not vouch for them. */
export const strangerAt = (socket: object): Stranger | undefined => within.get(socket)

/**
 * Whoever our own authority does not vouch for is hung up on when the handshake is over. So that a database that was put in
 * the place of another finds out whose hosts knock, those whom another authority vouches for may make one call, and are
 * hung up on wherever else they ask.
 */
export function keepStrangersOut(server: Server): void {
  let count = 0
  // Before anybody reads what they send.
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    if (socket.authorized) return
    const mayKnock = socket.alpnProtocol === strangersProtocol && count < strangersMax
    const who = mayKnock ? readStranger(socket.getPeerX509Certificate()) : undefined
    if (!who) return void socket.destroy()
    within.set(socket, who)
    count += 1
    const given = setTimeout(() => socket.destroy(), strangerWithin).unref()
    socket.once('close', () => {
      count -= 1
      clearTimeout(given)
    })
  })
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!strangerAt(request.socket)) return
    if (request.method === 'POST' && request.url === stranger.path) response.setHeader('connection', 'close')
    else request.socket.destroy()
  })
}
