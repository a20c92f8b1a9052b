import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

interface Standing {
  requests: number
  /** What had been read, and when, as of the last moment nothing was asked on it. */
  bytes: number
  at: number
}

export interface Connections {
  /** Waits until everybody has gone, at most for so long. */
  leave(patience: number): Promise<void>
  /** Takes no more connections, and ends those there are once what was asked on them is answered. */
  end(patience: number): Promise<void>
}

/** A request may still be on its way to a connection on which nothing has been asked for less time than this. */
const rest = 200
/** Whoever has just opened a connection did so in order to ask something. */
const restOfNew = 1_000
const lookEvery = 20

/**
 * Which connections have a request under way. Node's own way to close a server ends resting connections at once, even
 * those on which a request has just arrived, and waits a minute for the spare ones that browsers open and never use.
 */
export function watchConnections(server: Server): Connections {
  const open = new Map<Socket, Standing>()
  let taken = 0
  const restOf = (socket: Socket, requests: number): Standing => ({
    requests,
    bytes: socket.bytesRead,
    at: Date.now(),
  })
  server.on('connection', (socket: Socket) => {
    taken += 1
    open.set(socket, restOf(socket, 0))
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const requests = (by: number) => {
      const standing = open.get(socket)
      if (standing) open.set(socket, restOf(socket, standing.requests + by))
    }
    requests(1)
    response.once('close', () => requests(-1))
  })
  const isResting = (socket: Socket, { requests, bytes, at }: Standing) =>
    requests === 0 && socket.bytesRead === bytes && Date.now() - at > (bytes === 0 ? restOfNew : rest)

  /** Whoever still waits to be let in when the door closes is turned away, so it closes when nobody does. */
  async function untilNobodyKnocks(): Promise<void> {
    const giveUpAt = Date.now() + rest
    for (let quiet = 0; quiet < 5 && Date.now() < giveUpAt; ) {
      const before = taken
      await nextTurn()
      quiet = taken === before ? quiet + 1 : 0
    }
  }

  async function leave(patience: number, onLook = () => {}): Promise<void> {
    const giveUpAt = Date.now() + patience
    for (;;) {
      onLook()
      if (open.size === 0 || Date.now() > giveUpAt) return
      await sleep(lookEvery)
    }
  }

  return {
    leave,
    async end(patience) {
      await untilNobodyKnocks()
      if (server.listening) Listener.prototype.close.call(server)
      await leave(patience, () => {
        for (const [socket, standing] of open) if (isResting(socket, standing)) socket.destroy()
      })
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
