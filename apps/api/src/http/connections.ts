import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Server as TlsListener } from 'node:tls'

interface Activity {
  requests: number
  bytes: number
  at: number
}

export interface Connections {
  drain(timeout: number): Promise<void>
  end(): Promise<void>
}

/** A request may still be on its way on a connection that became idle more recently. */
const idleAfter = 200
const newIdleAfter = 1_000
const pollInterval = 20
const answerWithin = 5_000

/**
 * Tracks connections with pending requests. Node's own close ends idle connections even if a request has just
 * arrived, and waits a minute for spare ones that browsers never use.
 */
export function watchConnections(server: Server): Connections {
  const open = new Map<Socket, Activity>()
  let accepted = 0
  const activityOf = (socket: Socket, requests: number): Activity => ({
    requests,
    bytes: socket.bytesRead,
    at: Date.now(),
  })
  // Requests arrive on the TLS socket, not on the raw connection.
  server.on(server instanceof TlsListener ? 'secureConnection' : 'connection', (socket: Socket) => {
    accepted += 1
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

  /** Connections in the accept queue would be reset, so the listener closes when the queue is empty. */
  async function untilAcceptQueueIsEmpty(): Promise<void> {
    const deadline = Date.now() + idleAfter
    for (let quietRounds = 0; quietRounds < 5 && Date.now() < deadline; ) {
      const before = accepted
      await nextTurn()
      quietRounds = accepted === before ? quietRounds + 1 : 0
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
      await untilAcceptQueueIsEmpty()
      if (server.listening) Listener.prototype.close.call(server)
      await drain(answerWithin, () => {
        for (const [socket, activity] of open) if (isIdle(socket, activity)) socket.destroy()
      })
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
