import { connect } from 'node:net'
import { getCountries, getUser, routes, signUp } from '@kelid/contract'
import { expect, test } from 'vitest'
import { common } from '../calls.ts'
import { announceTo, serverEvent } from '../faults/live-stream.ts'
import { productForAllTests } from '../product.ts'
import { until } from '../until.ts'
import { samplePassword } from './samples.ts'
import { bearer, hold, json, sendBytes } from './wire.ts'

const product = productForAllTests()

const warn = 40
/** What is logged as trouble, up to when others who came later have been served. */
async function troubleIn(work: () => Promise<void>): Promise<string[]> {
  const before = product.logs.length
  await work()
  for (let later = 0; later < 20; later += 1) expect((await product.raw('/readyz')).status).toBe(200)
  return product.logs.slice(before).filter((line) => JSON.parse(line).level >= warn)
}

const ask = (path: string, body: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}Authorization: Bearer ${product.admin.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

test.each([
  ['a stranger', signUp.path, ''],
  ['a user', getUser.path, 'token'],
])('%s who hangs up in the middle of a body is no lost database and no error', async (_, path, token) => {
  const body = JSON.stringify({ ...common, email: 'someone@example.com', password: samplePassword })
  const headers = { ...json, ...(token && bearer(product.admin.token)) }
  const trouble = await troubleIn(async () => {
    const call = await hold(product.url, { path, headers, body }, 20)
    call.hangUp()
    await call.answer
  })
  expect(trouble).toEqual([])
})

test('a visitor who hangs up while a long reply is on its way is no error', async () => {
  const { hostname, port } = new URL(product.url)
  const trouble = await troubleIn(async () => {
    for (const encoding of ['br', 'identity']) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      const letter = ask(getCountries.path, JSON.stringify(common), `Accept-Encoding: ${encoding}\r\n`)
      socket.write(letter.repeat(20))
      await new Promise((begun) => socket.once('data', begun))
      socket.resetAndDestroy()
    }
  })
  expect(trouble).toEqual([])
})

test.each([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['a piece of nothing', '\0'.repeat(1_000)],
  ['a broken head', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
])('%s behind an open stream ends it, and nothing is written into it', async (_, garbage) => {
  const { hostname, port } = new URL(product.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  let isClosed = false
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('close', () => {
    isClosed = true
  })
  socket.write(
    `GET ${routes.events.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${product.admin.token}\r\n\r\n`,
  )
  await until(() => text.includes('"ready"'), 'the greeting')
  socket.write(garbage)
  await until(() => isClosed, 'the server to hang up')
  expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  expect(text).not.toContain('BAD_REQUEST')
  await announceTo(product, null, serverEvent('later'))
  expect((await product.raw('/healthz')).status).toBe(200)
})

test('garbage behind a request is not answered in its place', async () => {
  const reply = await sendBytes(product.url, `${ask(getUser.path, JSON.stringify(common))}hello\r\n\r\n`)
  expect(reply).not.toContain('BAD_REQUEST')
})

test('garbage behind a refusal that came before the body is not answered again', async () => {
  const reply = await sendBytes(
    product.url,
    `POST ${getUser.path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n`,
  )
  expect(reply.match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThanOrEqual(1)
})
