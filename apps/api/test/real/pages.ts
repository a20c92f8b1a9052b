import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Of one file. */
export const fileBytes = 3_000_000

/** What customers fetch: a page, a file, and a download without an end. */
export async function openPages() {
  const server = createServer((request, response) => {
    if (request.url === '/file') return void response.end(Buffer.alloc(fileBytes, 'x'))
    if (request.url !== '/stream') return void response.end('a page')
    const timer = setInterval(() => response.write(Buffer.alloc(2_048)), 20)
    response.on('close', () => clearInterval(timer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    page: `${url}/`,
    file: `${url}/file`,
    stream: `${url}/stream`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
