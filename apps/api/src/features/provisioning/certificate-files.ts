import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'

export interface CertificateFiles {
  chain: string
  key: string
}

const longest = 65_536
const longestChain = 8
const pem = /-----BEGIN ([A-Z ]{1,30})-----\r?\n[A-Za-z0-9+/=\r\n]{1,16000}-----END \1-----/g
const keyLabels: readonly (string | undefined)[] = ['PRIVATE KEY', 'EC PRIVATE KEY', 'RSA PRIVATE KEY']

export class BadCertificate extends Error {}

const require: (isRight: unknown, reason: string) => asserts isRight = (isRight, reason) => {
  if (!isRight) throw new BadCertificate(reason)
}

/**
 * A chain with its key, from a host or a program that may lie. What it returns is written anew from what was understood,
 * so nothing else passes.
 */
export function readCertificateFiles(
  text: string,
  name: string,
  now: Date,
): CertificateFiles & { until: Date } {
  require(text.length <= longest, 'it is too long')
  const blocks = [...text.matchAll(pem)].map(([block, label]) => ({ block, label }))
  const certificates = blocks.filter(({ label }) => label === 'CERTIFICATE')
  const keys = blocks.filter(({ label }) => keyLabels.includes(label))
  require(certificates.length > 0 && certificates.length <= longestChain, 'there is no certificate')
  require(keys.length === 1, 'there is no single key')
  try {
    const chain = certificates.map(({ block }) => new X509Certificate(block))
    const key = createPrivateKey(keys[0]?.block ?? '')
    requireServerCertificate(chain, key, name, now)
    return {
      chain: chain.map((one) => `${one.toString().trim()}\n`).join(''),
      key: key.export({ type: 'pkcs8', format: 'pem' }) as string,
      until: new Date(chain[0]?.validTo ?? ''),
    }
  } catch (error) {
    if (error instanceof BadCertificate) throw error
    throw new BadCertificate('it cannot be read')
  }
}

function requireServerCertificate(
  [leaf, ...issuers]: readonly X509Certificate[],
  key: KeyObject,
  name: string,
  now: Date,
): void {
  require(leaf && !leaf.ca, 'it is the certificate of an authority')
  require(leaf.subjectAltName?.toLowerCase() === `dns:${name.toLowerCase()}`, 'it is for another name')
  require(new Date(leaf.validFrom) <= now && new Date(leaf.validTo) > now, 'it is not valid now')
  require(isUsualKey(key), 'its key is of an unusual kind')
  require(leaf.checkPrivateKey(key), 'its key belongs to another certificate')
  let signed = leaf
  for (const issuer of issuers) {
    require(isUsualKey(issuer.publicKey) && signed.verify(issuer.publicKey), 'its chain is broken')
    signed = issuer
  }
}

function isUsualKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType === 'rsa') return modulusLength >= 2_048 && modulusLength <= 4_096
  return asymmetricKeyType === 'ec' && ['prime256v1', 'secp384r1'].includes(namedCurve)
}
