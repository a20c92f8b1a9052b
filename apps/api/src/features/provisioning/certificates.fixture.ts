import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { day } from '@kelid/contract'
import { keyPem, newKeyPair, type Signer, signCertificate, type Use } from '../authority/certificate.ts'

interface Wish {
  name: string
  now: Date
  days?: number
  use?: Use
  hosts?: readonly string[]
  publicKey?: KeyObject
  authority?: ReturnType<typeof newAuthority>
}

/** An authority that tests trust to be public. */
export function newAuthority(now: Date) {
  const { publicKey, privateKey } = newKeyPair()
  const signer: Signer = { name: 'A public CA', key: privateKey }
  const [from, until] = [new Date(now.getTime() - day), new Date(now.getTime() + 900 * day)]
  const { pem } = signCertificate(signer, { name: signer.name, use: 'authority', publicKey, from, until })
  return { signer, pem }
}

/** Chain and key as a host or lego has them. */
export function newCertificate({
  name,
  now,
  days = 90,
  use = 'server',
  hosts = [name],
  authority = newAuthority(now),
  ...given
}: Wish) {
  const own = newKeyPair()
  const until = new Date(now.getTime() + days * day)
  const from = new Date(Math.min(now.getTime(), until.getTime()) - day)
  const publicKey = given.publicKey ?? own.publicKey
  const { pem } = signCertificate(authority.signer, { name, use, hosts, publicKey, from, until })
  const chain = `${pem}${authority.pem}`
  const key = keyPem(own.privateKey)
  return { chain, key, text: `${chain}${key}` }
}

export const oddKeys = () => ({
  small: generateKeyPairSync('rsa', { modulusLength: 1024 }),
  edwards: generateKeyPairSync('ed25519'),
})
