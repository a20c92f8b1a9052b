import { execFile } from 'node:child_process'
import { randomUUID, X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { changeServer, removeHost } from '@kelid/contract'
import { expect, test } from 'vitest'
import { testClock } from '../../../test/clock.ts'
import { folderForAllTests } from '../../../test/hooks.ts'
import { openProduct, productForAllTests } from '../../../test/product.ts'
import {
  authorityCertificate,
  isRevoked,
  issueListenerCertificate,
  issueNodeCertificate,
  issueServerCertificate,
  readIssued,
} from './authority.ts'

const run = promisify(execFile)
const product = productForAllTests({ clock: testClock(new Date()) })
const folder = folderForAllTests()

/** Certificates are checked by an independent program. */
const openssl = async (...parts: string[]) => (await run('openssl', parts)).stdout
async function file(text: string): Promise<string> {
  const path = join(folder, randomUUID())
  await writeFile(path, text)
  return path
}
const textOf = async (pem: string) => openssl('x509', '-noout', '-text', '-in', await file(pem))
const verify = async (ca: string, purpose: string, certificate: string, ...more: string[]) => {
  const how = ['-CAfile', await file(ca), '-x509_strict', '-purpose', purpose, ...more]
  return openssl('verify', ...how, await file(certificate)).catch((error) => String(error.stderr))
}
const daysOf = (text: string) => {
  const at = (name: string) => Date.parse(new RegExp(`${name} ?: (.+)`).exec(text)?.[1] ?? '')
  return [at('Not Before'), at('Not After')].map((time) => (time - Date.now()) / 86_400_000)
}

test('the first start makes an authority for ten years that signs no further authorities, its key sealed', async () => {
  const ca = await authorityCertificate(product.ctx)
  const text = await textOf(ca)
  expect(text).toMatch(/Version: 3/)
  expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/)
  expect(text).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/)
  expect(text).toMatch(/ASN1 OID: prime256v1/)
  const [from, until] = daysOf(text)
  expect(from).toBeCloseTo(-1, 1)
  expect(until).toBeCloseTo(3_653, 0)
  expect(await verify(ca, 'any', ca)).toMatch(/: OK/)
  const [row] = await product.sql('SELECT key FROM authority')
  expect(row.key.toString('latin1')).not.toContain('PRIVATE KEY')
  const second = await openProduct({ database: product.database })
  expect(await authorityCertificate(second.ctx)).toBe(ca)
  await second.close()
})

test('a node gets a client certificate in its name for 90 days', async () => {
  const uuid = await product.server()
  const { ca, certificate, key } = await issueNodeCertificate(product.ctx, uuid)
  const text = await textOf(certificate)
  expect(text).toContain(`Subject: CN = node:${uuid}\n`)
  expect(text).toMatch(/Basic Constraints: critical\s+CA:FALSE/)
  expect(text).toMatch(/Key Usage: critical\s+Digital Signature\n/)
  expect(text).toMatch(/Extended Key Usage: \s+TLS Web Client Authentication\n/)
  expect(text).not.toContain('Subject Alternative Name')
  expect(daysOf(text)[1]).toBeCloseTo(90, 1)
  expect(await verify(ca, 'sslclient', certificate)).toMatch(/: OK/)
  expect(await verify(ca, 'sslserver', certificate)).toMatch(/unsuitable certificate purpose/)
  expect(await openssl('pkey', '-pubout', '-in', await file(key))).toBe(
    await openssl('x509', '-pubkey', '-noout', '-in', await file(certificate)),
  )
})

test.each([
  ['vpn.example.com', 'DNS:vpn.example.com', ['-verify_hostname', 'vpn.example.com']],
  [`${'long-label.'.repeat(8)}example.com`, 'DNS:long-label.', []],
])('a server gets a server certificate for %s', async (name, san, more) => {
  const { ca, chain, key } = await issueServerCertificate(product.ctx, name)
  expect(await textOf(chain)).toContain(san)
  expect(await verify(ca, 'sslserver', chain, ...more)).toMatch(/: OK/)
  expect(await verify(ca, 'sslserver', chain, '-verify_hostname', 'other.example.com')).toMatch(/mismatch/)
  expect(await verify(ca, 'sslclient', chain)).toMatch(/unsuitable certificate purpose/)
  expect(chain.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
  expect(chain.endsWith(ca)).toBe(true)
  expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----/)
})

test.each([
  ['https://nodes.example.com', 'DNS:nodes.example.com', ['-verify_hostname', 'nodes.example.com']],
  ['https://198.51.100.7:8443', 'IP Address:198.51.100.7', ['-verify_ip', '198.51.100.7']],
  ['https://[2001:db8::1:2]', 'IP Address:2001:DB8:0:0:0:0:1:2', ['-verify_ip', '2001:db8::1:2']],
])('the listener at %s has a certificate of a subject that no server has', async (url, san, more) => {
  const config = { ...product.ctx.config, KELID_AGENT_URL: url }
  const { ca, chain } = await issueListenerCertificate({ ...product.ctx, config })
  expect(await textOf(chain)).toContain(san)
  expect(await textOf(chain)).toContain('Subject: CN = kelid:control-plane\n')
  expect(await verify(ca, 'sslserver', chain, ...more)).toMatch(/: OK/)
})

test("two installations have different CAs and do not trust each other's certificates", async () => {
  const other = await openProduct()
  const foreign = await authorityCertificate(other.ctx)
  await other.close()
  const { ca, certificate } = await issueNodeCertificate(product.ctx, await product.server())
  expect(/CN = .+/.exec(await textOf(foreign))).not.toEqual(/CN = .+/.exec(await textOf(ca)))
  expect(await verify(foreign, 'sslclient', certificate)).toMatch(/unable to get local issuer/)
})

test('a new certificate leaves the old one good; removing or moving the host revokes all that it had', async () => {
  const { ctx, admin } = product
  const serverIPV4 = '192.0.2.10'
  const [removed, moved] = [await product.server(), await product.server()]
  const stays = await product.server({ serverIPV4 })
  const issued = async (uuid: string) =>
    readIssued(uuid, new X509Certificate((await issueNodeCertificate(ctx, uuid)).certificate))
  const two = (uuid: string) => Promise.all([issued(uuid), issued(uuid)])
  const all = await Promise.all([removed, moved, stays].map(two))
  const states = () => Promise.all(all.map((pair) => Promise.all(pair.map((one) => isRevoked(ctx.db, one)))))
  expect(await states()).toEqual(Array(3).fill([false, false]))
  await admin.ask(removeHost, { hostUUID: removed })
  await admin.ask(changeServer, { serverUUID: moved, serverIPV4: '192.0.2.99', countryId: 276 })
  await admin.ask(changeServer, { serverUUID: stays, serverIPV4, countryId: 276 })
  expect(await states()).toEqual([
    [true, true],
    [true, true],
    [false, false],
  ])
})
