import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal, wrapRefusal } from '@kelid/contract'

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly unanswered: number
}
const exchanges = new WeakMap<Socket, Exchange>()

export function watchExchanges(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    exchanges.set(socket, { request, response, unanswered: (exchanges.get(socket)?.unanswered ?? 0) + 1 })
    response.once('close', () => {
      const latest = exchanges.get(socket)
      if (latest) exchanges.set(socket, { ...latest, unanswered: latest.unanswered - 1 })
    })
  })
}

/** Otherwise the text would become part of another answer. */
function isAnswerDue(socket: Socket): boolean {
  const last = exchanges.get(socket)
  if (!last) return true
  if (last.request.complete) return last.unanswered === 0
  return last.unanswered === 1 && !last.response.headersSent
}

export function refuseBrokenRequest(_: Error, socket: Socket): void {
  if (!socket.writable || !isAnswerDue(socket)) return void socket.destroy()
  const body = JSON.stringify(wrapRefusal(new Refusal('BAD_REQUEST')))
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nCache-Control: no-store\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}
