import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './commands.ts'

const folder = '/mnt/authority'
const file = (name: string) => join(folder, name)
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** An authority as the product's own one. */
export function openAuthority() {
  mkdirSync(folder)
  const subject = ['-subj', '/CN=Kelid test authority', '-days', '3650']
  run('openssl', 'req', '-x509', ...newKey, ...subject, '-keyout', file('ca.key'), '-out', file('ca.pem'))
}

export const authorityFile = file('ca.pem')
export const authority = () => readFileSync(authorityFile, 'utf8')

/** A certificate for a name, with the authority in its chain. */
export function issue(name: string) {
  const own = file(name)
  const extensions = `subjectAltName=DNS:${name}\nextendedKeyUsage=serverAuth,clientAuth\nbasicConstraints=CA:FALSE\n`
  writeFileSync(`${own}.ext`, extensions)
  const files = ['-keyout', `${own}.key`, '-out', `${own}.csr`]
  run('openssl', 'req', '-new', ...newKey, '-subj', `/CN=${name}`, ...files)
  const signed = ['-CA', authorityFile, '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '90']
  const signedFiles = ['-in', `${own}.csr`, '-extfile', `${own}.ext`, '-out', `${own}.pem`]
  run('openssl', 'x509', '-req', ...signed, ...signedFiles)
  return { chain: readFileSync(`${own}.pem`, 'utf8') + authority(), key: readFileSync(`${own}.key`, 'utf8') }
}
