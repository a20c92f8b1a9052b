import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'

/** What a server with REALITY shows strangers. */
export async function openSite({ chain, key }: { chain: string; key: string }) {
  const site = createSecureServer({ cert: chain, key, allowHTTP1: true }, (_, response) =>
    response.end('a site'),
  ).listen(0, '127.0.0.1')
  await once(site, 'listening')
  // It ends with the tests.
  site.unref()
  return (site.address() as AddressInfo).port
}
