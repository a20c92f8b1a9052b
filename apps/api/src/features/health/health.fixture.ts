import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createSecureContext, createServer } from 'node:tls'

export type TlsEntrance = Awaited<ReturnType<typeof openTlsEntrance>>

interface Issued {
  readonly chain: string
  readonly key: string
}

/** A TLS listener that has a certificate for each of these names. */
export async function openTlsEntrance(certificates: ReadonlyMap<string, Issued>) {
  const server = createServer({
    SNICallback: (name, answer) => {
      const issued = certificates.get(name)
      const context = issued && createSecureContext({ cert: issued.chain, key: issued.key })
      answer(context ? null : new Error('unknown name'), context)
    },
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}
