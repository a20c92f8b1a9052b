import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Of one file. */
export const fileBytes = 3_000_000

/** What customers fetch: a page, a file, and a download without an end. */
export async function openPages() {
  const server = createServer((request, response) => {
    if (request.url === '/204') return void response.writeHead(204).end()
    if (request.url === '/file') return void response.end(Buffer.alloc(fileBytes, 'x'))
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
    /** Likewise, for many customers at once. */
    drip: `${url}/drip`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
