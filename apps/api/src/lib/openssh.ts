import { createHash, generateKeyPairSync, randomInt } from 'node:crypto'

export interface SshKeyPair {
  readonly privateKey: string
  readonly publicKey: string
}

const kind = 'ssh-ed25519'

function field(content: Buffer | string): Buffer {
  const bytes = Buffer.from(content)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** ssh accepts Ed25519 keys only in OpenSSH's own format (PROTOCOL.key). */
export function createSshKey(comment: string): SshKeyPair {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const [seed, point] = [jwk.d, jwk.x].map((part) => Buffer.from(part ?? '', 'base64url')) as [Buffer, Buffer]
  const blob = Buffer.concat([field(kind), field(point)])
  const check = number(randomInt(2 ** 32))
  const body = Buffer.concat([check, check, blob, field(Buffer.concat([seed, point])), field(comment)])
  const padding = Buffer.from(Array.from({ length: (8 - (body.length % 8)) % 8 }, (_, index) => index + 1))
  const keyFile = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    number(1),
    field(blob),
    field(Buffer.concat([body, padding])),
  ])
  const lines = keyFile.toString('base64').match(/.{1,70}/g) ?? []
  return {
    privateKey: [
      '-----BEGIN OPENSSH PRIVATE KEY-----',
      ...lines,
      '-----END OPENSSH PRIVATE KEY-----',
      '',
    ].join('\n'),
    publicKey: `${kind} ${blob.toString('base64')} ${comment}`,
  }
}

export const fingerprintOf = (publicKey: string): string =>
  `SHA256:${createHash('sha256')
    .update(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'))
    .digest('base64')
    .replace(/=+$/, '')}`
