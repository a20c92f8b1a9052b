import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto'

/** Bound into the cipher as associated data, so that a value moved to another row does not open. */
export type SecretLocation = `${string}.${string}.${string}`

export interface Seal {
  close(location: SecretLocation, plain: string): Buffer
  open(location: SecretLocation, sealed: Buffer): string
  /** A keyed hash, for comparing requests that contain secrets. */
  fingerprint(purpose: string, text: string): Buffer
}

const nonceBytes = 12
const tagBytes = 16
const strict = { authTagLength: tagBytes }

/** AES-256-GCM under a key derived from the installation's secret key. */
export function createSeal(secretKey: Buffer): Seal {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32))
  const cipherKey = createSecretKey(derive('kelid secrets at rest'))
  const macKey = derive('kelid fingerprints')

  return {
    close(location, plain) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce, strict).setAAD(Buffer.from(location))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(location, sealed) {
      const decipher = createDecipheriv('aes-256-gcm', cipherKey, sealed.subarray(0, nonceBytes), strict)
        .setAAD(Buffer.from(location))
        .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      const plain = decipher.update(sealed.subarray(nonceBytes + tagBytes))
      decipher.final()
      return plain.toString()
    },
    fingerprint: (purpose, text) =>
      createHmac('sha256', macKey).update(purpose).update('\0').update(text).digest(),
  }
}
