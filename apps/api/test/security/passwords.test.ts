import { changePassword, limits, ruleTexts, signUp } from '@kelid/contract'
import { expect, test } from 'vitest'
import { createPasswords } from '../../src/lib/passwords.ts'
import { productForAllTests } from '../product.ts'
import { auditedTimes, from, signInFrom, waitsOf } from './attempts.ts'
import { somebody } from './callers.ts'
import { freshEmail, samplePassword } from './samples.ts'

const product = productForAllTests({ env: { KELID_TRUST_PROXY: '1' } })

let address = 0
/** Every attempt from another address, so that throttling does not hide the rule under test. */
const newAddress = () => `203.0.113.${++address}`
const register = (email: string, password: string) =>
  product.call(signUp, { email, password }, from(newAddress()))
const enter = (email: string, password: string) => signInFrom(product, email, newAddress(), password)
const passwordOf = (length: number) => `${'Aa1-'.repeat(20).slice(0, length - 2)}7q`

test('a password of 8 to 35 characters opens an account; a longer one is refused, never cut', async () => {
  for (const length of [limits.passwordMin, limits.textMax]) {
    const email = freshEmail()
    expect((await register(email, passwordOf(length))).status, `${length} characters`).toBe(200)
    expect((await enter(email, passwordOf(length))).status).toBe(200)
  }
  for (const length of [limits.passwordMin - 1, limits.textMax + 1, 40, limits.signInTextMax]) {
    const email = freshEmail()
    const reply = await register(email, passwordOf(length))
    expect([reply.status, reply.errorType], `${length} characters`).toEqual([400, 'INCOMPLETE_INFORMATION'])
    const rule = length > limits.textMax ? 'atMost35' : 'password'
    expect(reply.envelope.response.error?.errorFields).toEqual({ password: rule })
    expect(reply.envelope.response.error?.errorContent[1]).toBe(`password: ${ruleTexts[rule]}`)
    expect((await enter(email, passwordOf(limits.textMax))).errorType).toBe('WRONG_CREDENTIALS')
  }
})

test('every character counts at sign-in, up to 50', async () => {
  const email = freshEmail()
  const password = passwordOf(limits.textMax)
  await register(email, password)
  for (const wrong of [
    `${password}x`,
    password.slice(0, -1),
    password.toLowerCase().replace('a', 'A'),
    ` ${password}`,
  ])
    expect((await enter(email, wrong)).errorType, wrong).toBe('WRONG_CREDENTIALS')
  const longest = password + 'x'.repeat(limits.signInTextMax - password.length)
  expect((await enter(email, longest)).errorType).toBe('WRONG_CREDENTIALS')
  expect((await enter(email, `${longest}x`)).errorType).toBe('INCOMPLETE_INFORMATION')
  product.clock.advance(1_000)
  expect((await enter(email, password)).status).toBe(200)
})

test('e-mail addresses are the same in any case and up to 35 characters', async () => {
  const email = `${'m'.repeat(limits.textMax - 12)}@example.com`
  expect((await register(email, samplePassword)).status).toBe(200)
  expect((await enter(email.toUpperCase().replace('.COM', '.com'), samplePassword)).status).toBe(200)
  expect((await register(email.replace('m', 'M'), samplePassword)).errorType).toBe('EMAIL_TAKEN')
  expect((await register(`x${email}`, samplePassword)).errorType).toBe('INCOMPLETE_INFORMATION')
})

test.each(['alllower1!', 'ALLUPPER1!', 'NoDigits!!', 'NoSpecial11', 'Aa1!\u0000bcd', 'Aa1!\u202ebcd'])(
  '%j is not a password',
  async (password) => {
    expect((await register(freshEmail(), password)).errorType).toBe('INCOMPLETE_INFORMATION')
  },
)

test.each([
  'P@ssw0rd1!',
  'P@ssw0rd',
  'Passw0rd!',
  'Password1!',
  'Password123!',
  'Qwerty123!',
  'Qwerty1!',
  'Qwertyuiop1!',
  'Welcome1!',
  'Welcome@123',
  'Admin123!',
  'Admin@123',
  'Letmein1!',
  'Iloveyou1!',
  'Monkey123!',
  'Football1!',
  'Abc12345!',
  'Abcd1234!',
  'Aa123456!',
  'Test1234!',
  'Trustno1!',
  'Sunshine1!',
  'Princess1!',
  'Superman1!',
  'Asdf1234!',
  'Zaq12wsx!',
  '1qaz@WSX',
  '1Qaz2wsx!',
  'Dragon123!',
  '!Password1',
  'Changeme1!',
  'Secret123!',
])('%s is too easy to guess, at sign-up and at a change', async (password) => {
  expect((await register(freshEmail(), password)).errorType).toBe('PASSWORD_TOO_COMMON')
  const person = await somebody(product, 1)
  const reply = await person.call(changePassword, { oldPassword: samplePassword, newPassword: password })
  expect(reply.errorType).toBe('PASSWORD_TOO_COMMON')
})

test.each([
  'Kuh-Sabz-77',
  'tR7!mple-otter',
  'zX9#kLm2',
  'Correct-Horse-4-Battery',
  'Passage-to-7-India',
  'گل-Sorkh-1399',
])('%s is not taken for a common one', async (password) => {
  const email = freshEmail()
  expect((await register(email, password)).status).toBe(200)
  expect((await enter(email, password)).status).toBe(200)
})

test('passwords are stored as argon2id with 19 MiB, two passes, one lane and a salt each', async () => {
  const passwords = createPasswords()
  const hashes = await Promise.all([1, 2].map(() => passwords.hash(samplePassword)))
  for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(hashes[0]).not.toBe(hashes[1])
})

test('two passwords are hashed at a time, some callers wait, and the others are refused at once', async () => {
  const { passwords } = product.ctx
  const quick = { ...passwords }
  Object.assign(passwords, createPasswords())
  const replies = await Promise.all(Array.from({ length: 150 }, () => enter(freshEmail(), samplePassword)))
  const busy = replies.filter((reply) => reply.errorType === 'BUSY')
  expect(busy.length).toBeGreaterThan(0)
  expect(replies.length - busy.length).toBeGreaterThanOrEqual(66)
  for (const reply of busy)
    expect([reply.status, reply.envelope.response.httpCode, reply.envelope.response.status]).toEqual([
      503, 503, 0,
    ])
  for (const reply of replies) expect(['BUSY', 'WRONG_CREDENTIALS']).toContain(reply.errorType)
  expect(await passwords.matches(undefined, samplePassword)).toBe(false)
  Object.assign(passwords, quick)
})

test('the queue of hashes has its length, and moves on after it was full', async () => {
  const passwords = createPasswords({ atATime: 2, waiting: 3 })
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => passwords.hash(samplePassword)))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  await expect(passwords.hash(samplePassword)).resolves.toContain('argon2id')
})

test('a change to the same password is refused and not audited', async () => {
  const person = await somebody(product, 1)
  for (let count = 0; count < 40; count += 1) {
    const same = { oldPassword: samplePassword, newPassword: samplePassword }
    const reply = await person.call(changePassword, same)
    expect(reply.errorType).toBe('INCOMPLETE_INFORMATION')
    expect(reply.envelope.response.error?.errorFields).toEqual({ newPassword: 'otherPassword' })
  }
  expect(await auditedTimes(product, person.email, 'changepassword')).toBe(0)
})

test('a user who changes the password again and again waits ever longer, up to 15 minutes', async () => {
  const person = await somebody(product, 1)
  let current: string = samplePassword
  const change = async () => {
    const newPassword = current === samplePassword ? 'Abi-Asman-88' : samplePassword
    const reply = await person.call(changePassword, { oldPassword: current, newPassword })
    if (reply.status === 200) current = newPassword
    return reply
  }
  for (let count = 0; count < 5; count += 1) expect((await change()).status).toBe(200)
  const waits = await waitsOf(product, 12, change)
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  expect(await auditedTimes(product, person.email, 'changepassword')).toBe(17)
})
