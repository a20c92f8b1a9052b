import { checkOtp, getUser, limits, sendOtp, setUserPhone } from '@kelid/contract'
import { expect, test } from 'vitest'
import { openForAllTests } from '../hooks.ts'
import {
  attacker,
  auditedTimes,
  productWithoutAttempts,
  signInFrom,
  waitsOf,
  wrongPassword,
} from './attempts.ts'
import { somebody } from './callers.ts'
import { samplePassword } from './samples.ts'
import { openFakeGateway } from './sms-gateway.ts'
import { sendWaiting } from './sms-queue.ts'

const inARow = 30
const hour = 3_600_000

const gateway = openForAllTests(openFakeGateway)
const product = productWithoutAttempts(() => ({
  env: { KELID_TRUST_PROXY: '1', KELID_SMS_URL: gateway.url },
}))

const home = '203.0.113.20'
const enter = (email: string, password = samplePassword, address = home) =>
  signInFrom(product, email, address, password)
const signedInTimes = (email: string) => auditedTimes(product, email, 'signin')
const works = async (token: string) => (await product.call(getUser, {}, { token })).status === 200

test('a user who signs in again and again waits ever longer, up to a minute', async () => {
  const { email } = await somebody(product, 1)
  for (let count = 0; count < inARow; count += 1) expect((await enter(email)).status).toBe(200)
  const waits = await waitsOf(product, 9, () => enter(email))
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  expect(await signedInTimes(email)).toBe(inARow + waits.length)
  expect((await enter((await somebody(product, 1)).email)).status).toBe(200)
})

test('signing in once a minute is never too often', async () => {
  const { email } = await somebody(product, 1)
  for (let count = 0; count < 60; count += 1) {
    expect((await enter(email)).status).toBe(200)
    product.clock.advance(60_000)
  }
})

test('no password is checked while a user has to wait', async () => {
  const { email } = await somebody(product, 1)
  for (let count = 0; count < inARow; count += 1) await enter(email)
  const { passwords } = product.ctx
  const { matches } = passwords
  let looks = 0
  passwords.matches = (...hashAndPassword) => {
    looks += 1
    return matches(...hashAndPassword)
  }
  for (const password of [samplePassword, wrongPassword])
    expect((await enter(email, password)).errorType).toBe('TOO_MANY_ATTEMPTS')
  expect(looks).toBe(0)
})

test('parallel sign-ins count like sequential ones', async () => {
  const { email } = await somebody(product, 1)
  await enter(email)
  const replies = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const own: Awaited<ReturnType<typeof enter>>[] = []
      for (let count = 0; count < 15; count += 1) own.push(await enter(email))
      return own
    }),
  )
  expect(replies.flat().filter(({ status }) => status === 200)).toHaveLength(inARow - 1)
  expect(await signedInTimes(email)).toBe(inARow)
})

test('wrong passwords of strangers do not limit the sign-ins of a user', async () => {
  const { email } = await somebody(product, 1)
  await enter(email)
  for (let count = 0; count < 40; count += 1) {
    await enter(email, wrongPassword, attacker(count))
    product.clock.advance(1_000)
  }
  for (let count = 0; count < 20; count += 1) expect((await enter(email)).status).toBe(200)
})

test('sessions opened by SMS count too', async () => {
  const person = await somebody(product, 1)
  const mobile = '09121234567'
  await product.admin.ask(setUserPhone, { userEmail: person.email, userPhone: mobile })
  ;(await product.call(sendOtp, { mobile })).answer()
  await sendWaiting(product)
  const otp = gateway.sent.at(-1)?.code ?? ''
  for (let count = 0; count < inARow; count += 1) await enter(person.email)
  expect((await product.call(checkOtp, { mobile, otp })).errorType).toBe('TOO_MANY_ATTEMPTS')
  product.clock.advance(1_000)
  expect((await product.call(checkOtp, { mobile, otp })).status).toBe(200)
})

test('a new session never replaces itself', async () => {
  const { email } = await somebody(product, 1)
  for (let count = 0; count < limits.sessionsPerUser; count += 1) {
    product.clock.advance(1_000)
    await enter(email)
  }
  product.clock.advance(-hour)
  for (let count = 0; count < 5; count += 1)
    expect(await works((await enter(email)).answer().token), `session ${count + 1}`).toBe(true)
})
