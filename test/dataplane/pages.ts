import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { Readable } from 'node:stream'
import { address } from './network.ts'

export const page = 'A page of the world'
export const secret = 'A secret of the neighbourhood'
/** Downloads without an end, whose every piece has its own byte; `/drip` is for hundreds at once. */
const downloadPiece = 64 * 1024
const paces: Record<string, { bytes: number; every: number }> = {
  '/download': { bytes: downloadPiece, every: 50 },
  '/drip': { bytes: 16, every: 250 },
}
/** The length of `/file`. */
export const fileBytes = 8_000_000
/** Sends back what it gets, over TCP, and never ends a connection. */
export const echoPort = 7

const flooded = Buffer.alloc(1_048_576)
/** As much as anybody takes. */
function* flood() {
  for (;;) yield flooded
}

const fillOf = (piece: number) => piece % 251

/** Whether these bytes belong there in `/download`: a missing one would move all that follow. */
export function isPartOfDownload(part: Buffer, offset: number): boolean {
  for (let start = 0; start < part.length; ) {
    const piece = Math.floor((offset + start) / downloadPiece)
    const end = Math.min(part.length, (piece + 1) * downloadPiece - offset)
    if (!part.subarray(start, end).equals(Buffer.alloc(end - start, fillOf(piece)))) return false
    start = end
  }
  return true
}

/** The same program answers in public and in private places: only a refusal keeps the second from a customer. */
export async function openPages() {
  const echo = createTcpServer((socket) => socket.on('error', () => {}).pipe(socket))
  echo.listen({ port: echoPort, host: address.world, backlog: 1_024 })
  await once(echo, 'listening')
  for (const [where, text] of [
    [address.world, page],
    [address.private, secret],
    [address.metadata, secret],
  ] as const) {
    const server = createServer((request, response) => {
      if (request.url === '/204') return response.writeHead(204).end()
      if (request.url === '/who') return response.end(request.socket.remoteAddress)
      if (request.url === '/file') return response.end(Buffer.alloc(fileBytes))
      if (request.url === '/flood') return Readable.from(flood()).pipe(response)
      const pace = paces[request.url ?? '']
      if (!pace) return response.end(text)
      let piece = 0
      const timer = setInterval(() => response.write(Buffer.alloc(pace.bytes, fillOf(piece++))), pace.every)
      response.on('close', () => clearInterval(timer))
    }).listen(8080, where)
    await once(server, 'listening')
    const echo = createSocket('udp4', (_, from) => echo.send(text, from.port, from.address))
    echo.bind(8080, where)
    await once(echo, 'listening')
  }
}
