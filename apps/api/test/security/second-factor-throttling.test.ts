import {
  changePassword,
  confirmSecondFactor,
  removeSecondFactor,
  resetUserPassword,
  startSecondFactor,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { attacker, productWithoutAttempts, waitOf, waitsOf } from './attempts.ts'
import { somebody } from './callers.ts'
import { samplePassword } from './samples.ts'
import { enter, guardedAdmin } from './second-factor.ts'

const product = productWithoutAttempts({ env: { KELID_TRUST_PROXY: '1' } })

const wrong = '000000'

test('an attacker who has the password guesses codes as slowly as passwords, from any address', async () => {
  const { email } = await guardedAdmin(product)
  for (let count = 1; count <= 5; count += 1)
    expect((await enter(product, email, wrong, { address: attacker(count) })).errorType).toBe('WRONG_CODE')
  let count = 100
  const guess = () => enter(product, email, wrong, { address: attacker(count++) })
  const waits = await waitsOf(product, 12, guess, 'WRONG_CODE')
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
})

test('a right code clears the counter of guesses, the right password alone does not', async () => {
  const admin = await guardedAdmin(product)
  const guess = (code?: string) => enter(product, admin.email, code, { address: attacker(1) })
  for (let count = 0; count < 4; count += 1) expect((await guess(wrong)).errorType).toBe('WRONG_CODE')
  expect((await guess()).errorType).toBe('SECOND_FACTOR_REQUIRED')
  expect((await guess(wrong)).errorType).toBe('TOO_MANY_ATTEMPTS')
  product.clock.advance(1_000)
  expect((await guess()).errorType).toBe('SECOND_FACTOR_REQUIRED')
  product.clock.advance(2_000)
  expect((await guess(admin.code())).status).toBe(200)
  for (let count = 0; count < 5; count += 1) expect((await guess(wrong)).errorType).toBe('WRONG_CODE')
})

test('fifty codes guessed at once are no more than fifty in a row', async () => {
  const { email } = await guardedAdmin(product)
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, count) => enter(product, email, wrong, { address: attacker(count) })),
  )
  expect(replies.filter(({ errorType }) => errorType === 'WRONG_CODE')).toHaveLength(5)
})

test('guessing codes from a known address is throttled like elsewhere', async () => {
  const admin = await guardedAdmin(product)
  const home = { address: '203.0.113.20' }
  expect((await enter(product, admin.email, admin.code(), home)).status).toBe(200)
  let [guesses, wait] = [0, 0]
  // A known address by itself waits a minute at most; the rest of a longer wait follows.
  while (wait < 600 && guesses < 60) {
    const reply = await enter(product, admin.email, wrong, home)
    if (reply.errorType === 'WRONG_CODE') guesses += 1
    else {
      wait = waitOf(reply)
      product.clock.advance(wait * 1_000)
    }
  }
  expect(wait).toBeGreaterThan(600)
  expect(guesses).toBeLessThan(25)
})

test('during an attack an administrator can sign in from a known address', async () => {
  const admin = await guardedAdmin(product)
  const home = { address: '203.0.113.20' }
  expect((await enter(product, admin.email, admin.code(), home)).status).toBe(200)
  for (let round = 0; round < 3; round += 1) {
    for (let count = 0; count < 8; count += 1)
      await enter(product, admin.email, wrong, { address: attacker(count) })
    product.clock.advance(60_000)
    expect((await enter(product, admin.email, admin.code(), home)).status).toBe(200)
  }
})

test('the first step of two does not count against the shared address', async () => {
  const address = '203.0.113.40'
  const failures = async () =>
    (await product.sql('SELECT failures FROM attempts WHERE key = $1', `perAddress:${address}`))[0]?.failures
  const admin = await guardedAdmin(product)
  await enter(product, admin.email, undefined, { address })
  expect(await failures()).toBe(0)
  await enter(product, admin.email, wrong, { address })
  expect(await failures()).toBe(1)
  await enter(product, admin.email, admin.code(), { address })
  expect(await failures()).toBe(1)
})

test('a stolen session can guess neither the password nor the code', async () => {
  const admin = await guardedAdmin(product)
  const guess = () => admin.call(removeSecondFactor, { password: samplePassword, code: wrong })
  for (let count = 0; count < 5; count += 1) expect((await guess()).errorType).toBe('WRONG_CODE')
  expect((await guess()).errorType).toBe('TOO_MANY_ATTEMPTS')

  const beginner = await somebody(product, 6)
  await beginner.call(startSecondFactor, { password: samplePassword })
  const confirm = () => beginner.call(confirmSecondFactor, { code: wrong })
  for (let count = 0; count < 5; count += 1) expect((await confirm()).errorType).toBe('WRONG_CODE')
  expect((await confirm()).errorType).toBe('TOO_MANY_ATTEMPTS')
})

/** Guesses of six digits while the clock stands still. A new password gives no further ones. */
const freeGuesses = 10

test('a password that its holder changes resets no counter of wrong codes', async () => {
  const admin = await guardedAdmin(product)
  let password: string = samplePassword
  let guesses = 0
  for (let round = 1; round <= 20; round += 1) {
    for (let count = 0; count < 4; count += 1) {
      const reply = await admin.call(removeSecondFactor, { password, code: wrong })
      if (reply.errorType === 'WRONG_CODE') guesses += 1
    }
    const newPassword = `Abi-Asman-${100 + round}`
    const changed = await admin.call(changePassword, { oldPassword: password, newPassword })
    if (changed.status === 200) password = newPassword
  }
  expect(password).not.toBe(samplePassword)
  expect(guesses).toBeLessThanOrEqual(freeGuesses)
})

test.each([
  ['elsewhere', 15, 4, attacker],
  ['at a known address', 5, 8, () => '203.0.113.20'],
])(
  'a password that an administrator resets clears no counter of wrong codes, %s',
  async (_, rounds, each, addressOf) => {
    const admin = await guardedAdmin(product)
    const home = { address: '203.0.113.20' }
    expect((await enter(product, admin.email, admin.code(), home)).status).toBe(200)
    let guesses = 0
    for (let round = 1; round <= rounds; round += 1) {
      const { password } = await product.admin.ask(resetUserPassword, { userEmail: admin.email })
      for (let count = 0; count < each; count += 1) {
        const address = addressOf(round * each + count)
        const reply = await enter(product, admin.email, wrong, { password, address })
        if (reply.errorType === 'WRONG_CODE') guesses += 1
      }
    }
    expect(guesses).toBeLessThanOrEqual(freeGuesses)
  },
)

test('a right code clears the counter of a session', async () => {
  const admin = await guardedAdmin(product)
  const remove = (code: string) => admin.call(removeSecondFactor, { password: samplePassword, code })
  for (let count = 0; count < 4; count += 1) expect((await remove(wrong)).errorType).toBe('WRONG_CODE')
  expect((await remove(admin.code())).status).toBe(200)
  expect(await product.sql(`SELECT key FROM attempts WHERE key LIKE 'secondFactor:%'`)).toEqual([])
})
