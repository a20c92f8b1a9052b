import { getSessions, signUp } from '@kelid/contract'
import { expect, test } from 'vitest'
import { openProduct } from '../product.ts'
import { attacker, from, productWithoutAttempts, signInFrom, wrongPassword } from './attempts.ts'
import { somebody } from './callers.ts'
import { freshEmail, samplePassword } from './samples.ts'

const product = productWithoutAttempts({ env: { KELID_TRUST_PROXY: '1' } })

const enter = (email: string, password: string, address: string) =>
  signInFrom(product, email, address, password)
const join = (address: string) =>
  product.call(signUp, { email: freshEmail(), password: samplePassword }, from(address))
/** Another address of the same network each time. */
const inNetwork = (count: number) => `2001:db8:7:8:${count.toString(16)}::${count.toString(16)}`
const neighbour = '2001:db8:7:9::1'

test('the addresses of one IPv6 network sign in as one, and the next network is another', async () => {
  for (let batch = 0; batch < 10; batch += 1)
    await Promise.all(
      Array.from({ length: 10 }, (_, count) =>
        enter(freshEmail(), wrongPassword, inNetwork(batch * 10 + count)),
      ),
    )
  expect((await enter(freshEmail(), wrongPassword, inNetwork(200))).errorType).toBe('TOO_MANY_ATTEMPTS')
  expect((await enter(freshEmail(), wrongPassword, neighbour)).errorType).toBe('WRONG_CREDENTIALS')
})

test('the addresses of one IPv6 network sign up as one', async () => {
  for (let count = 0; count < 30; count += 1) expect((await join(inNetwork(count))).status).toBe(200)
  expect((await join(inNetwork(30))).errorType).toBe('TOO_MANY_ATTEMPTS')
  expect((await join(neighbour)).status).toBe(200)
})

test('a user who is known at one address of an IPv6 network is known at all of them', async () => {
  const { email } = await somebody(product, 1)
  expect((await enter(email, samplePassword, inNetwork(1))).status).toBe(200)
  for (let count = 0; count < 6; count += 1) await enter(email, wrongPassword, attacker(count))
  expect((await enter(email, samplePassword, neighbour)).errorType).toBe('TOO_MANY_ATTEMPTS')
  expect((await enter(email, samplePassword, inNetwork(2))).status).toBe(200)
  for (let count = 0; count < 20; count += 1)
    expect((await enter(email, wrongPassword, inNetwork(count))).errorType).toBe('WRONG_CREDENTIALS')
  expect((await enter(email, samplePassword, inNetwork(99))).errorType).toBe('TOO_MANY_ATTEMPTS')
})

test('sessions are listed with the whole address, written in one way', async () => {
  const person = await somebody(product, 1)
  for (const address of ['2001:DB8:7:8:0:0:0:1', '::ffff:203.0.113.9'])
    expect((await enter(person.email, samplePassword, address)).status).toBe(200)
  const { items } = await person.ask(getSessions, {})
  expect(items.map(({ sessionAddress }) => sessionAddress).sort()).toEqual([
    '127.0.0.1',
    '2001:db8:7:8::1',
    '203.0.113.9',
  ])
})

test('an IPv4 address is the same when it comes as IPv6', async () => {
  const { email } = await somebody(product, 1)
  await enter(email, samplePassword, '::ffff:203.0.113.9')
  expect(await product.sql('SELECT address FROM known_addresses')).toEqual([{ address: '203.0.113.9' }])
})

test.each(['unknown', '203.0.113.300', '203.0.113.9:443', '[2001:db8::1]', '10.0.0.1 x', 'x'.repeat(80)])(
  'a forwarded address that is not an address is refused, and nothing of it is stored: %s',
  async (address) => {
    const { email } = await somebody(product, 1)
    for (const reply of [
      await enter(email, samplePassword, address),
      await enter(email, wrongPassword, address),
      await join(address),
    ])
      expect([reply.status, reply.errorType]).toEqual([400, 'BAD_REQUEST'])
    const rows = await product.sql(
      `SELECT address FROM sessions UNION ALL SELECT address FROM audit UNION ALL SELECT address FROM known_addresses
       UNION ALL SELECT key FROM attempts`,
    )
    expect(rows.map((row) => row.address).filter((kept) => kept.includes(address))).toEqual([])
  },
)

test('a proxy that the operator has not named is logged once', async () => {
  const { database, clock } = product
  const direct = await openProduct({ database, clock })
  const warnings = (logs: readonly string[]) => logs.filter((line) => line.includes('KELID_TRUST_PROXY'))
  await direct.raw('/healthz')
  expect(warnings(direct.logs)).toEqual([])
  for (const address of ['203.0.113.1', '203.0.113.2'])
    await direct.raw('/healthz', { headers: { 'x-forwarded-for': address } })
  expect(warnings(direct.logs)).toHaveLength(1)
  expect(warnings(direct.logs)[0]).toMatch(/all visitors share its address/)
  await direct.close()
  await enter(freshEmail(), wrongPassword, '203.0.113.3')
  expect(warnings(product.logs)).toEqual([])
})
