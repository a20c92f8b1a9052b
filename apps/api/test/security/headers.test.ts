import { getUser, newAccount, signIn } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { common } from '../calls.ts'
import { type Product, productForAllTests } from '../product.ts'
import { directAccount } from '../sample-hosts.ts'
import { bearer, json, readEnvelope, send, sendBytes } from './wire.ts'

const friend = 'https://app.example.com'
const secondFriend = 'https://panel.example.net:8443'

const product = productForAllTests()
const open = productForAllTests({
  env: {
    KELID_ALLOWED_ORIGINS: `${friend}, ${secondFriend}`,
    KELID_PUBLIC_URL: 'https://vpn.example.com',
  },
})
beforeAll(() => product.server())

test.each([
  ['GET', '/healthz', 200],
  ['GET', '/readyz', 200],
  ['GET', '/config.json', 200],
  ['GET', '/api/docs', 200],
  ['GET', '/api/docs/openapi.json', 200],
  ['GET', '/api/docs/files/swagger-ui.css', 200],
  ['GET', '/api/docs/files/other.js', 404],
  ['GET', '/api/v1/events', 401],
  ['GET', '/flags/ir.svg', 200],
  ['GET', '/flags/zz.svg', 404],
  ['GET', '/nothing/here', 404],
  ['GET', '/%', 400],
  ['GET', getUser.path, 405],
  ['POST', getUser.path, 401],
  ['POST', signIn.path, 415],
] as const)('%s %s, answered with %d, has the security headers', async (method, path, expected) => {
  const text = method === 'POST' && { headers: { 'content-type': 'text/plain' }, body: 'a=b' }
  const { status, headers } = await send(product.url, { method, path, ...text })
  expect(status).toBe(expected)
  if (status >= 400) expect(headers['cache-control']).toBe('no-store')
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  })
  const policy = String(headers['content-security-policy'])
  for (const part of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ])
    expect(policy).toContain(part)
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|https?:|\*/)
  expect(headers['x-powered-by']).toBeUndefined()
  expect(headers.server).toBeUndefined()
  expect(headers['set-cookie']).toBeUndefined()
  if (status !== 400) expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test('plain HTTP does not promise HTTPS, and an HTTPS address does', async () => {
  const plain = await send(product.url, { method: 'GET', path: '/healthz' })
  expect(plain.headers['strict-transport-security']).toBeUndefined()
  const secure = await send(open.url, { method: 'GET', path: '/healthz' })
  expect(secure.headers['strict-transport-security']).toMatch(/max-age=31536000/)
})

const preflight = (url: string, origin: string) =>
  send(url, {
    method: 'OPTIONS',
    path: getUser.path,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  })
const post = ({ url, admin }: Product, origin: string) =>
  send(url, {
    path: getUser.path,
    headers: { ...json, ...bearer(admin.token), origin },
    body: JSON.stringify(common),
  })

test('no other origin may call when none is configured', async () => {
  for (const origin of [friend, 'null', 'http://localhost']) {
    for (const reply of [await preflight(product.url, origin), await post(product, origin)])
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect((await preflight(product.url, origin)).status).toBe(405)
  }
})

test.each([friend, secondFriend])('the configured origin %s may call', async (origin) => {
  const asked = await preflight(open.url, origin)
  expect(asked.status).toBe(204)
  expect(asked.headers['access-control-allow-origin']).toBe(origin)
  expect(asked.headers['access-control-allow-headers']).toMatch(/authorization/)
  expect(asked.headers['access-control-allow-credentials']).toBeUndefined()
  const reply = await post(open, origin)
  expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, origin])
  expect(reply.headers.vary?.toLowerCase()).toContain('origin')
})

test.each([
  'https://evil.example.com',
  'https://app.example.com.evil.example',
  'https://evil.app.example.com',
  'http://app.example.com',
  'https://app.example.com:444',
  'null',
])('the origin %s may not, configured or not', async (origin) => {
  for (const reply of [await preflight(open.url, origin), await post(open, origin)])
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
})

test.each([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['an unknown method', 'BREW /api/v1/auth/getuser HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a header with a NUL', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
  [
    'two lengths',
    'POST /api/v1/auth/signin HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
  ],
  [
    'a length and pieces',
    'POST /api/v1/auth/signin HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
  ],
  ['a negative length', 'POST /api/v1/auth/signin HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}'],
  ['a header line too long', `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`],
  [
    'a broken piece',
    'POST /api/v1/auth/signin HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n',
  ],
])('%s is answered with an envelope, and the connection is closed', async (_, bytes) => {
  const reply = await sendBytes(product.url, bytes)
  const [head = '', ...body] = reply.split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 400 /)
  expect(head).toMatch(/content-type: application\/json/i)
  expect(readEnvelope({ status: 400, text: body.join('\r\n\r\n') }).error?.errorType).toBe('BAD_REQUEST')
})

test.each([
  '/%zz',
  '/%E0%A4%A',
  '/sub/%',
  '/api/v1/%ff',
  `/sub/${'a'.repeat(500)}`,
  '//',
  '/api/v1/auth/signin/',
])('the address %s is answered with an envelope that does not repeat it', async (path) => {
  const reply = await sendBytes(product.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  const [head = '', body = ''] = reply.split('\r\n\r\n')
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1])
  expect([400, 404]).toContain(status)
  expect(readEnvelope({ status, text: body }).error?.errorType).toMatch(/BAD_REQUEST|RESOURCE_NOT_FOUND/)
  if (path.length > 3) expect(body).not.toContain(path)
})

test('a request without a host is answered like any other', async () => {
  const reply = await sendBytes(product.url, `GET ${getUser.path} HTTP/1.1\r\nConnection: close\r\n\r\n`)
  expect(readEnvelope({ status: 405, text: reply.split('\r\n\r\n')[1] ?? '' }).httpCode).toBe(405)
})

test('an invalid host name does not break a subscription', async () => {
  const user = await product.person({ points: 1_000 })
  const { accountSubscriptionPath: path } = await user.ask(newAccount, directAccount)
  for (const host of ['[', 'a b', '%', 'x:99999', '<script>', '"'])
    for (const accept of ['text/html', '*/*']) {
      const reply = await sendBytes(
        product.url,
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`,
      )
      expect(reply, host).toMatch(/^HTTP\/1\.1 (?:200|400) /)
      expect(reply, host).not.toContain('<script>')
    }
})
