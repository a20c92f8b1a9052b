import { changePassword, checkOtp, getUser, sendOtp, signUp } from '@kelid/contract'
import { expect, test } from 'vitest'
import { openProduct, type Product } from '../product.ts'
import {
  attacker,
  from,
  productWithoutAttempts,
  signInFrom,
  waitOf,
  waitsOf,
  wrongPassword,
} from './attempts.ts'
import { somebody } from './callers.ts'
import { freshEmail, samplePassword } from './samples.ts'

/** The phones of these tests have no owner, so no SMS is sent. */
const env = { KELID_TRUST_PROXY: '1', KELID_SMS_URL: 'http://127.0.0.1:9/' }

const product = productWithoutAttempts({ env })

const enter = (email: string, password: string, address: string, instance: Product = product) =>
  signInFrom(instance, email, address, password)

/** Five wrong guesses, each from another address. */
async function failFiveTimes(email: string): Promise<void> {
  for (let count = 1; count <= 5; count += 1)
    expect((await enter(email, wrongPassword, attacker(count))).errorType).toBe('WRONG_CREDENTIALS')
}

test('after five failures each further one doubles the wait, from a second to a quarter of an hour', async () => {
  const { email } = await somebody(product, 1)
  await failFiveTimes(email)
  const waits: number[] = []
  for (let round = 0; round < 13; round += 1) {
    const refused = await enter(email, wrongPassword, attacker(100 + round))
    expect([refused.status, refused.errorType]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
    const wait = waitOf(refused)
    expect(refused.envelope.response.error?.errorParameters).toEqual({ seconds: wait })
    waits.push(wait)
    product.clock.advance(wait * 1_000 - 1)
    expect((await enter(email, samplePassword, attacker(1))).errorType).toBe('TOO_MANY_ATTEMPTS')
    product.clock.advance(1)
    expect((await enter(email, wrongPassword, attacker(2))).errorType).toBe('WRONG_CREDENTIALS')
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
})

test('a refused attempt does not make the wait longer, and the right password ends it', async () => {
  const { email } = await somebody(product, 1)
  await failFiveTimes(email)
  for (let count = 0; count < 20; count += 1)
    expect(waitOf(await enter(email, wrongPassword, attacker(count)))).toBe(1)
  product.clock.advance(1_000)
  expect((await enter(email, samplePassword, attacker(9))).status).toBe(200)
  await failFiveTimes(email)
})

test('the wait is the same for an unknown e-mail', async () => {
  const email = freshEmail()
  await failFiveTimes(email)
  const refused = await enter(email, wrongPassword, attacker(6))
  expect([refused.errorType, waitOf(refused)]).toEqual(['TOO_MANY_ATTEMPTS', 1])
})

test('counters survive a restart', async () => {
  const { email } = await somebody(product, 1)
  await failFiveTimes(email)
  const again = await openProduct({ env, database: product.database, clock: product.clock })
  expect((await enter(email, samplePassword, attacker(7), again)).errorType).toBe('TOO_MANY_ATTEMPTS')
  await again.close()
})

test('fifty guesses at once get no more tries than fifty in a row', async () => {
  const { email } = await somebody(product, 1)
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, count) => enter(email, wrongPassword, attacker(count))),
  )
  const types = replies.map((reply) => reply.errorType)
  expect(types.filter((type) => type === 'WRONG_CREDENTIALS')).toHaveLength(5)
  expect(types.filter((type) => type === 'TOO_MANY_ATTEMPTS')).toHaveLength(45)
})

test('during an attack the victim can sign in from a known address and stays signed in', async () => {
  const victim = await somebody(product, 1)
  const home = '203.0.113.20'
  expect((await enter(victim.email, samplePassword, home)).status).toBe(200)
  for (let round = 0; round < 5; round += 1) {
    const guesses = Array.from({ length: 10 }, (_, count) =>
      enter(victim.email, wrongPassword, attacker(round * 10 + count)),
    )
    await Promise.all(guesses)
    expect((await enter(victim.email, samplePassword, home)).status).toBe(200)
    expect((await victim.call(getUser, {})).status).toBe(200)
  }
})

test('signing in from a known address does not help an attacker', async () => {
  const { email } = await somebody(product, 1)
  await enter(email, samplePassword, '203.0.113.20')
  await failFiveTimes(email)
  expect((await enter(email, wrongPassword, '203.0.113.20')).errorType).toBe('WRONG_CREDENTIALS')
  expect((await enter(email, samplePassword, '203.0.113.20')).status).toBe(200)
  expect((await enter(email, samplePassword, attacker(50))).errorType).toBe('TOO_MANY_ATTEMPTS')
})

test('one address may fail often before it waits, and then never for long', async () => {
  const office = '203.0.113.30'
  const guess = () => enter(freshEmail(), wrongPassword, office)
  for (let batch = 0; batch < 10; batch += 1) {
    const replies = await Promise.all(Array.from({ length: 10 }, guess))
    for (const reply of replies) expect(reply.errorType).toBe('WRONG_CREDENTIALS')
  }
  const waits = await waitsOf(product, 9, guess, 'WRONG_CREDENTIALS')
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  const { email } = await somebody(product, 1)
  expect((await enter(email, samplePassword, '203.0.113.31')).status).toBe(200)
})

test('a right password does not lengthen the wait of a used-up address', async () => {
  const office = '203.0.113.30'
  const guess = () => enter(freshEmail(), wrongPassword, office)
  for (let batch = 0; batch < 10; batch += 1) await Promise.all(Array.from({ length: 10 }, guess))
  expect(waitOf(await guess())).toBe(1)
  product.clock.advance(1_000)
  for (let count = 0; count < 5; count += 1) {
    const { email } = await somebody(product, 1)
    expect((await enter(email, samplePassword, office)).status).toBe(200)
  }
  expect((await guess()).errorType).toBe('WRONG_CREDENTIALS')
  expect(waitOf(await guess())).toBe(2)
})

test.each([
  ['an SMS', () => product.call(sendOtp, { mobile: '09120000001' }, from('203.0.113.30'))],
  [
    'a check of a code',
    () => product.call(checkOtp, { mobile: '09120000001', otp: '0000' }, from('203.0.113.30')),
  ],
])('refused attempts of %s that must wait do not count for the address', async (_, ask) => {
  let refusals = 0
  while (refusals < 110) if ((await ask()).errorType === 'TOO_MANY_ATTEMPTS') refusals += 1
  const { email } = await somebody(product, 1)
  expect((await enter(email, samplePassword, '203.0.113.30')).status).toBe(200)
})

test('an address can sign up thirty users, then waits', async () => {
  const register = (address = '203.0.113.50') =>
    product.call(signUp, { email: freshEmail(), password: samplePassword }, from(address))
  for (let count = 0; count < 30; count += 1) expect((await register()).status).toBe(200)
  const refused = await register()
  expect([refused.status, refused.errorType, waitOf(refused)]).toEqual([429, 'TOO_MANY_ATTEMPTS', 1])
  expect((await register('203.0.113.51')).status).toBe(200)
})

test('a stolen session cannot guess the password by changing it', async () => {
  const person = await somebody(product, 1)
  const guess = () => person.call(changePassword, { oldPassword: wrongPassword, newPassword: 'Abi-Asman-88' })
  for (let count = 0; count < 5; count += 1) expect((await guess()).errorType).toBe('WRONG_CREDENTIALS')
  const refused = await guess()
  expect([refused.errorType, refused.headers.get('retry-after')]).toEqual(['TOO_MANY_ATTEMPTS', '1'])
  product.clock.advance(1_000)
  const right = await person.call(changePassword, {
    oldPassword: samplePassword,
    newPassword: 'Abi-Asman-88',
  })
  expect(right.status).toBe(200)
})

const knownAddresses = () => product.sql('SELECT address FROM known_addresses')

test('without a proxy the header of a client is ignored', async () => {
  const direct = await openProduct({ database: product.database, clock: product.clock })
  const { email } = await somebody(direct, 1)
  await enter(email, samplePassword, '203.0.113.60', direct)
  expect(await knownAddresses()).toEqual([{ address: '127.0.0.1' }])
  await direct.close()
})

test('only the last address in the header counts, which the proxy added', async () => {
  const { email } = await somebody(product, 1)
  await enter(email, samplePassword, '10.9.9.9, 192.0.2.1, 203.0.113.61')
  expect(await knownAddresses()).toEqual([{ address: '203.0.113.61' }])
})
