import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Server as TlsListener } from 'node:tls'

interface Activity {
  requests: number
  /** What had been read, and when, as of the last moment nothing was asked on it. */
  bytes: number
  at: number
}

export interface Connections {
  /** Waits until everybody has gone, at most for so long. */
  drain(timeout: number): Promise<void>
  /** Takes no more connections, and ends those there are once what was asked on them is answered. */
  end(): Promise<void>
}

/** A request may still be on its way to a connection on which nothing has been asked for less time than this. */
const idleAfter = 200
/** Whoever has just opened a connection did so in order to ask something. */
const newIdleAfter = 1_000
const pollInterval = 20
/** Requests under way when the server stops have this long to be answered. */
const answerWithin = 5_000

/**
 * Which connections have a request under way. Node's own way to close a server ends idle connections at once, even
 * those on which a request has just arrived, and waits a minute for the spare ones that browsers open and never use.
 */
export function watchConnections(server: Server): Connections {
  const open = new Map<Socket, Activity>()
  let taken = 0
  const activityOf = (socket: Socket, requests: number): Activity => ({
    requests,
    bytes: socket.bytesRead,
    at: Date.now(),
  })
  // What a request comes on is the inside of a TLS connection, not the connection itself.
  server.on(server instanceof TlsListener ? 'secureConnection' : 'connection', (socket: Socket) => {
    taken += 1
    open.set(socket, activityOf(socket, 0))
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const requests = (by: number) => {
      const activity = open.get(socket)
      if (activity) open.set(socket, activityOf(socket, activity.requests + by))
    }
    requests(1)
    response.once('close', () => requests(-1))
  })
  const isIdle = (socket: Socket, { requests, bytes, at }: Activity) =>
    requests === 0 && socket.bytesRead === bytes && Date.now() - at > (bytes === 0 ? newIdleAfter : idleAfter)

  /** Whoever still waits to be let in when the door closes is turned away, so it closes when nobody does. */
  async function untilNobodyKnocks(): Promise<void> {
    const deadline = Date.now() + idleAfter
    for (let quiet = 0; quiet < 5 && Date.now() < deadline; ) {
      const before = taken
      await nextTurn()
      quiet = taken === before ? quiet + 1 : 0
    }
  }

  async function drain(timeout: number, onPoll = () => {}): Promise<void> {
    const deadline = Date.now() + timeout
    for (;;) {
      onPoll()
      if (open.size === 0 || Date.now() > deadline) return
      await sleep(pollInterval)
    }
  }

  return {
    drain,
    async end() {
      await untilNobodyKnocks()
      if (server.listening) Listener.prototype.close.call(server)
      await drain(answerWithin, () => {
        for (const [socket, activity] of open) if (isIdle(socket, activity)) socket.destroy()
      })
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
