import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface FakeSmsGateway {
  readonly url: string
  stop(): Promise<void>
}

/** Accepts codes like an operator's SMS hook; GET /<mobile> returns the last one. */
export async function startFakeSmsGateway(): Promise<FakeSmsGateway> {
  const codes = new Map<string, string>()
  const server = createServer(async (request, reply) => {
    if (request.method === 'POST') {
      const { mobile, code } = (await json(request)) as { mobile: string; code: string }
      codes.set(mobile, code)
    }
    reply.end(codes.get(request.url?.slice(1) ?? '') ?? '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
