import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createSecureContext, createServer } from 'node:tls'
import type { Product } from '../../../test/product.ts'
import { issueServerCertificate } from '../authority/authority.ts'

export interface TlsEntrance {
  readonly port: number
  close(): Promise<void>
}

export async function openTlsEntrance({ ctx }: Product, names: readonly string[]): Promise<TlsEntrance> {
  const contexts = new Map<string, { cert: string; key: string }>()
  for (const name of names) {
    const { chain, key } = await issueServerCertificate(ctx, name)
    contexts.set(name, { cert: chain, key })
  }
  return openTlsEntranceWith(contexts)
}

export async function openTlsEntranceWith(
  contexts: ReadonlyMap<string, { cert: string; key: string }>,
): Promise<TlsEntrance> {
  const server = createServer({
    SNICallback: (name, answer) => {
      const context = contexts.get(name)
      answer(context ? null : new Error('unknown name'), context && createSecureContext(context))
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
