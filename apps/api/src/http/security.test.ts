import { getUser, routes } from '@kelid/contract'
import { expect, test } from 'vitest'
import { common, productForAllTests } from '../../test/product.ts'

const product = productForAllTests({ env: { KELID_PUBLIC_URL: 'https://vpn.example.com' } })

const json = { 'content-type': 'application/json' }
const post = (body: string, headers: Record<string, string> = json): RequestInit => ({
  method: 'POST',
  headers,
  body,
})

test.each([
  ['an answer', routes.ready.path, {}, 200],
  ['a refusal', getUser.path, post(JSON.stringify(common)), 401],
  ['a body that is no JSON', getUser.path, post('{'), 401],
  ['another content type', '/api/v1/auth/signin', post('a=b', { 'content-type': 'text/plain' }), 415],
  ['another method', getUser.path, {}, 405],
  ['nothing there', '/api/v1/nothing', {}, 404],
  ['an address that cannot be decoded', '/%', {}, 400],
])('%s carries the headers that keep browsers careful', async (_, path, init, status) => {
  const reply = await product.raw(path, init)
  expect(reply.status).toBe(status)
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none';frame-ancestors 'none';base-uri 'none';form-action 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
})
