import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Of one file. */
export const fileBytes = 3_000_000

/** What customers fetch: a page, a file, and a download without an end. */
export async function openPages() {
  let received = 0
  const server = createServer((request, response) => {
    if (request.url === '/204') return void response.writeHead(204).end()
    if (request.url === '/file') return void response.end(Buffer.alloc(fileBytes, 'x'))
    if (request.url === '/flood') return flood(response)
    if (request.url === '/sink')
      return void request.on('data', ({ length }: Buffer) => {
        received += length
      })
    if (request.url !== '/stream' && request.url !== '/drip') return void response.end('a page')
    const [bytes, every] = request.url === '/stream' ? [2_048, 20] : [16, 250]
    const timer = setInterval(() => response.write(Buffer.alloc(bytes)), every)
    response.on('close', () => clearInterval(timer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    page: `${url}/`,
    file: `${url}/file`,
    stream: `${url}/stream`,
    /** As fast as it can. */
    flood: `${url}/flood`,
    /** Takes what is uploaded, and counts it. */
    sink: `${url}/sink`,
    received: () => received,
    /** Likewise, for many customers at once. */
    drip: `${url}/drip`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function flood(response: ServerResponse) {
  const bytes = Buffer.alloc(65_536, 'x')
  const write = () => {
    while (!response.destroyed && response.write(bytes));
  }
  response.on('drain', write)
  write()
}
