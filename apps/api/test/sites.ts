import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'
import { keyPem, newKeyPair, signCertificate } from '../src/features/authority/certificate.ts'

const day = 86_400_000

/** A certificate authority of the test, and sites with its certificates on ports of this machine. */
export function openSites() {
  const authority = newKeyPair()
  const [from, until] = [new Date(Date.now() - day), new Date(Date.now() + day)]
  const dates = { from, until }
  const signer = { name: 'Test CA', key: authority.privateKey }
  const { pem: ca } = signCertificate(signer, {
    ...{ name: signer.name, use: 'authority', publicKey: authority.publicKey },
    ...dates,
  })
  const closing: (() => Promise<unknown>)[] = []
  return {
    ca,
    /** With a certificate for the name, of the authority or signed by itself. Returns its port. */
    async open(
      name: string,
      { isSelfSigned = false, ...options }: TlsOptions & { isSelfSigned?: boolean } = {},
    ) {
      const { publicKey, privateKey } = newKeyPair()
      const by = isSelfSigned ? { name, key: privateKey } : signer
      const { pem: cert } = signCertificate(by, { name, use: 'server', publicKey, hosts: [name], ...dates })
      const site = createServer({ key: keyPem(privateKey), cert, ALPNProtocols: ['h2'], ...options })
      // Clients that only look leave without a word.
      site.on('tlsClientError', () => {})
      site.on('secureConnection', (socket) => socket.on('error', () => {}))
      await once(site.listen(0, '127.0.0.1'), 'listening')
      closing.push(() => once(site.close(), 'close'))
      return (site.address() as AddressInfo).port
    },
    close: () => Promise.all(closing.map((close) => close())),
  }
}
