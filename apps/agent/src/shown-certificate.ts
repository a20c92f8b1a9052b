import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type hello, type Input, nodeLimits } from '@kelid/contract'

type ServerCertificate = NonNullable<Input<typeof hello>['certificate']>

const pems = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Reads the file each time, because it is renewed while the agent runs. */
export async function readServerCertificate(file: string): Promise<ServerCertificate | undefined> {
  try {
    const chain = (await readFile(file, 'utf8')).match(pems) ?? []
    const [shown, ...others] = chain.map((pem) => new X509Certificate(pem))
    if (!shown) return undefined
    const signer = others.find((other) => shown.checkIssued(other) && shown.verify(other.publicKey))
    return {
      issuer: issuerOf(shown),
      untilDate: new Date(shown.validTo).toISOString(),
      authority: signer ? signer.fingerprint256.replaceAll(':', '').toLowerCase() : '',
    }
  } catch {
    return undefined
  }
}

function issuerOf(certificate: X509Certificate): string {
  const { O, CN } = certificate.toLegacyObject().issuer
  const names = [O, CN].flat().filter(Boolean).join(' ')
  return names
    .slice(0, nodeLimits.issuerMax)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
}
