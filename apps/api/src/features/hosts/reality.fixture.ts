import { createPrivateKey, createPublicKey } from 'node:crypto'

/** Before the 32 bytes of a private key of X25519. */
const prefix = Buffer.from('302e020100300506032b656e04220420', 'hex')

export function publicKeyOf(privateKey: string) {
  const key = Buffer.concat([prefix, Buffer.from(privateKey, 'base64url')])
  return createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' })).export({ format: 'jwk' }).x
}
