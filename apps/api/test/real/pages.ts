import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What customers fetch: a page, and a download without an end. */
export async function openPages() {
  const server = createServer((request, response) => {
    if (request.url !== '/stream') return void response.end('a page')
    const timer = setInterval(() => response.write(Buffer.alloc(2_048)), 20)
    response.on('close', () => clearInterval(timer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    page: `${url}/`,
    stream: `${url}/stream`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
