import { execFile, execFileSync } from 'node:child_process'
import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { defaultSettings } from '@kelid/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { folderForAllTests } from '../../../test/hooks.ts'
import { openWorkshop, standIn } from './ansible.fixture.ts'
import { provisioningDir } from './playbook.ts'

const program = join(provisioningDir, 'roles/certificate/files/acme-account')
const folder = folderForAllTests()
const certificate = join(folder, 'tls.pem')
const accountUrl = 'https://authority.example/account/7'

interface Asked {
  jwk: object
  payload: unknown
  isSigned: boolean
}
let asked: Asked[] = []
let refusals: string[] = []
const nonces = new Set<string>()

function read(body: string): Asked {
  const { protected: head, payload, signature } = JSON.parse(body) as Record<string, string>
  const { jwk, nonce, url, alg } = JSON.parse(Buffer.from(head ?? '', 'base64url').toString())
  expect([alg, url, nonces.delete(nonce)]).toEqual(['RS256', `${origin()}/new-account`, true])
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${payload}`),
    key,
    Buffer.from(signature ?? '', 'base64url'),
  )
  return { jwk, payload: JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()), isSigned }
}

/** As much of an authority as registers accounts. */
const authority = createServer(async (request, response) => {
  const nonce = randomUUID()
  nonces.add(nonce)
  response.setHeader('replay-nonce', nonce)
  if (request.url === '/directory')
    return response.end(
      JSON.stringify({ newNonce: `${origin()}/new-nonce`, newAccount: `${origin()}/new-account` }),
    )
  if (request.url !== '/new-account') return response.end()
  let body = ''
  for await (const part of request) body += part
  asked.push(read(body))
  const refusal = refusals.shift()
  if (refusal) return response.writeHead(400).end(JSON.stringify({ type: refusal, detail: 'not this time' }))
  return response.writeHead(201, { location: accountUrl }).end('{"status": "valid"}')
})
const origin = () => `https://127.0.0.1:${(authority.address() as AddressInfo).port}`

beforeAll(async () => {
  const request = 'req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1'
  execFileSync('openssl', [...request.split(' '), '-keyout', `${certificate}.key`, '-out', certificate], {
    stdio: 'ignore',
  })
  authority.setSecureContext({ cert: readFileSync(certificate), key: readFileSync(`${certificate}.key`) })
  await once(authority.listen(0, '127.0.0.1'), 'listening')
})
beforeEach(() => {
  asked = []
  refusals = []
})
afterAll(() => void authority.close())

const register = (path: string, at = `${origin()}/directory`) =>
  promisify(execFile)('python3', [program, at, path, 'without-email'], {
    env: { ...process.env, LEGO_CA_CERTIFICATES: certificate },
  })
const accountIn = (path: string) =>
  join(path, 'accounts', origin().slice('https://'.length).replace(':', '_'), 'without-email')

test('with the settings of the first start a server is added, and its host is given no e-mail', async () => {
  const shop = await openWorkshop()
  const ansible = await standIn(shop.folder)
  const { serverUUID, run } = await shop.server({ serverURL: 'first.example.com' })
  await shop.run(run, { playbook: shop.playbook('ping:') })
  const { acmeDirectory: directory } = defaultSettings.certificates
  expect(ansible.description(serverUUID).certificate).toEqual({
    source: 'acme',
    name: 'first.example.com',
    directory,
    email: '',
    ca_bundle: '',
  })
  ansible.close()
  await shop.close()
})

test('an account without an e-mail is registered once, where lego looks for it and its key', async () => {
  const path = join(folder, 'once')
  await register(path)
  expect(asked).toMatchObject([{ isSigned: true }])
  expect(asked[0]?.payload).toEqual({ termsOfServiceAgreed: true })
  const account = JSON.parse(readFileSync(join(accountIn(path), 'account.json'), 'utf8'))
  expect(account).toEqual({ email: '', registration: { body: { status: 'valid' }, uri: accountUrl } })
  // The only forms of a key that lego reads.
  const key = readFileSync(join(accountIn(path), 'keys/without-email.key'), 'utf8')
  expect(key).toMatch(/^-----BEGIN RSA PRIVATE KEY-----/)
  await register(path)
  expect(asked).toHaveLength(1)
})

test('an expired nonce is replaced; another refusal is reported verbatim, and the key is kept for the next try', async () => {
  const path = join(folder, 'refused')
  refusals = ['urn:ietf:params:acme:error:badNonce', 'urn:ietf:params:acme:error:rateLimited']
  const failure = await register(path).catch((error: { code: number; stderr: string }) => error)
  expect(failure).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/error.*rateLimited.*not this time/),
  })
  expect(existsSync(join(accountIn(path), 'account.json'))).toBe(false)
  await register(path)
  expect(asked).toHaveLength(3)
  expect(new Set(asked.map(({ jwk }) => JSON.stringify(jwk))).size).toBe(1)
})

test('an authority that cannot be reached is named', async () => {
  const nowhere = register(join(folder, 'nowhere'), 'https://127.0.0.1:1/directory')
  await expect(nowhere).rejects.toMatchObject({
    stderr: expect.stringContaining('could not register an account at https://127.0.0.1:1/directory'),
  })
})
