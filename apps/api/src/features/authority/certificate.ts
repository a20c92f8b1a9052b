import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { isIP } from 'node:net'
import {
  bits,
  explicitTag,
  identifier,
  instead,
  integer,
  octets,
  sequence,
  set,
  time,
  utf8,
  yes,
} from './der.ts'

const ecdsaWithSha256 = sequence(identifier('1.2.840.10045.4.3.2'))

export function newKeyPair(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
}

export const keyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string

export type Use = 'authority' | 'client' | 'server'

export interface Signer {
  readonly name: string
  readonly key: KeyObject
}

export interface CertificateRequest {
  readonly name: string
  readonly use: Use
  readonly publicKey: KeyObject
  readonly from: Date
  readonly until: Date
  readonly hosts?: readonly string[]
}

export interface Signed {
  readonly pem: string
  readonly serial: string
}

export function signCertificate(signer: Signer, request: CertificateRequest): Signed {
  const serial = newSerial()
  const body = sequence(
    explicitTag(0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaWithSha256,
    commonName(signer.name),
    sequence(time(request.from), time(request.until)),
    commonName(request.name),
    request.publicKey.export({ type: 'spki', format: 'der' }),
    explicitTag(3, sequence(...extensionsOf(request, createPublicKey(signer.key)))),
  )
  const certificate = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, signer.key)))
  return { pem: pemOf(certificate), serial: serial.toString('hex').toUpperCase() }
}

/** Random, so that nobody can predict a certificate's bytes; positive and of fixed length. */
function newSerial(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes
}

const commonName = (name: string) => sequence(set(sequence(identifier('2.5.4.3'), utf8(name))))

const extension = (id: string, value: Buffer, isCritical = false) =>
  sequence(identifier(id), ...(isCritical ? [yes] : []), octets(value))

const keyUsages = {
  authority: bits(Buffer.from([0b0000_0110]), 1),
  client: bits(Buffer.from([0b1000_0000]), 7),
  server: bits(Buffer.from([0b1000_0000]), 7),
} satisfies Record<Use, Buffer>

/** The CA signs end certificates only, no intermediate CAs. */
const constraints = {
  authority: sequence(yes, integer(Buffer.from([0]))),
  client: sequence(),
  server: sequence(),
} satisfies Record<Use, Buffer>

const purposes = {
  authority: null,
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
} satisfies Record<Use, string | null>

function extensionsOf({ use, publicKey, hosts = [] }: CertificateRequest, signedBy: KeyObject): Buffer[] {
  const purpose = purposes[use]
  return [
    extension('2.5.29.19', constraints[use], true),
    extension('2.5.29.15', keyUsages[use], true),
    ...(purpose ? [extension('2.5.29.37', sequence(identifier(purpose)))] : []),
    ...(hosts.length > 0 ? [extension('2.5.29.17', sequence(...hosts.map(hostName)))] : []),
    extension('2.5.29.14', octets(keyIdOf(publicKey))),
    extension('2.5.29.35', sequence(instead(0, keyIdOf(signedBy)))),
  ]
}

const keyIdOf = (key: KeyObject): Buffer =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20)

const hostName = (host: string): Buffer =>
  isIP(host) ? instead(7, addressBytes(host)) : instead(2, Buffer.from(host, 'ascii'))

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [before = [], after = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

const pemOf = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`
