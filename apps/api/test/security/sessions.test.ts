import {
  changePassword,
  day,
  getSessions,
  getUser,
  limits,
  revokeSession,
  setUserLevel,
  signIn,
  signOut,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import type { Person } from '../product.ts'
import { productWithoutAttempts } from './attempts.ts'
import { sessionIdOf, somebody } from './callers.ts'
import { samplePassword } from './samples.ts'

const minute = 60_000
const hour = 60 * minute

const product = productWithoutAttempts()

const isIn = async ({ call }: Person) => (await call(getUser, {})).status === 200
const enter = async ({ email }: Person, headers: Record<string, string> = {}) =>
  (await product.call(signIn, { email, password: samplePassword }, { headers })).answer().token
const works = async (token: string) => (await product.call(getUser, {}, { token })).status === 200

test.each([
  ['a user', 5, 24 * hour, 14 * day],
  ['an administrator', 6, 30 * minute, 12 * hour],
])(
  '%s is signed out after idling, and after a time in all, however busy',
  async (_, level, idle, absolute) => {
    const busy = await somebody(product, level)
    const idler = await product.again(busy)
    const start = product.clock.now().getTime()
    product.clock.advance(idle - 1)
    expect([await isIn(busy), await isIn(idler)]).toEqual([true, true])
    product.clock.advance(idle)
    expect(await isIn(idler)).toBe(false)

    const tireless = await product.again(busy)
    const signedIn = product.clock.now().getTime()
    while (product.clock.now().getTime() - signedIn + idle / 2 < absolute) {
      product.clock.advance(idle / 2)
      expect(await isIn(tireless)).toBe(true)
    }
    product.clock.set(new Date(signedIn + absolute - 1))
    expect(await isIn(tireless)).toBe(true)
    product.clock.set(new Date(signedIn + absolute))
    expect(await isIn(tireless)).toBe(false)
    expect(product.clock.now().getTime()).toBeGreaterThan(start)
  },
)

test('a clock that is set back revives no session', async () => {
  const idled = await somebody(product, 1)
  const aged = await somebody(product, 6)
  const start = product.clock.now()
  product.clock.advance(14 * day)
  expect([await isIn(idled), await isIn(aged)]).toEqual([false, false])
  product.clock.set(start)
  expect([await isIn(idled), await isIn(aged)]).toEqual([false, false])
})

test('a clock that is set back keeps running sessions, and ends them no later', async () => {
  const person = await somebody(product, 1)
  const start = product.clock.now().getTime()
  product.clock.advance(10 * hour)
  expect(await isIn(person)).toBe(true)
  product.clock.set(new Date(start + hour))
  expect(await isIn(person)).toBe(true)
  product.clock.set(new Date(start + 34 * hour))
  expect(await isIn(person)).toBe(false)
})

test('a token is 256 random bits, and nothing that is stored opens a session', async () => {
  const person = await somebody(product, 1)
  const tokens = [await enter(person), await enter(person)]
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(tokens[0]).not.toBe(tokens[1])
  const rows = await product.sql(
    `SELECT t::text AS row, encode(token_hash, 'base64') AS hash FROM sessions t`,
  )
  const bytesOf = (token: string) => Buffer.from(token, 'base64url').toString('hex')
  for (const token of tokens)
    for (const { row } of rows) {
      expect(row).not.toContain(token)
      expect(row).not.toContain(bytesOf(token))
    }
  for (const { hash } of rows)
    expect(await works(Buffer.from(hash, 'base64').toString('base64url'))).toBe(false)
})

test('the eleventh session ends the oldest', async () => {
  const person = await somebody(product, 1)
  const tokens: string[] = [person.token]
  for (let count = 0; count < limits.sessionsPerUser; count += 1) {
    product.clock.advance(1_000)
    tokens.push(await enter(person))
  }
  expect(await Promise.all(tokens.map(works))).toEqual([false, ...tokens.slice(1).map(() => true)])
  const newest = tokens.at(-1) ?? ''
  const { items } = (await product.call(getSessions, {}, { token: newest })).answer()
  expect(items).toHaveLength(limits.sessionsPerUser)
})

test('signing out ends this session at once and no other', async () => {
  const person = await somebody(product, 1)
  const other = await product.again(person)
  expect((await person.call(signOut, {})).status).toBe(200)
  expect([await isIn(person), await isIn(other)]).toEqual([false, true])
  expect((await person.call(signOut, {})).errorType).toBe('UNAUTHENTICATED')
})

test('a new password ends every other session, and the old one opens nothing', async () => {
  const person = await somebody(product, 1)
  const others = [await product.again(person), await product.again(person)]
  const newPassword = 'Abi-Asman-88'
  const wrong = await person.call(changePassword, { oldPassword: 'Wrong-Pass-1', newPassword })
  expect(wrong.errorType).toBe('WRONG_CREDENTIALS')
  expect(await isIn(others[0] as Person)).toBe(true)
  expect((await person.call(changePassword, { oldPassword: samplePassword, newPassword })).status).toBe(200)
  expect([await isIn(person), ...(await Promise.all(others.map(isIn)))]).toEqual([true, false, false])
  const { email } = person
  expect((await product.call(signIn, { email, password: samplePassword })).errorType).toBe(
    'WRONG_CREDENTIALS',
  )
  expect((await product.call(signIn, { email, password: newPassword })).status).toBe(200)
})

test('a sign-in that was checked against the old password opens no session after the change', async () => {
  const person = await somebody(product, 1)
  const { passwords } = product.ctx
  const matches = passwords.matches
  let letIn = () => {}
  const changed = new Promise<void>((resolve) => {
    letIn = resolve
  })
  let wasChecked = () => {}
  const checked = new Promise<void>((resolve) => {
    wasChecked = resolve
  })
  passwords.matches = async (stored, password) => {
    passwords.matches = matches
    const isRight = await matches(stored, password)
    wasChecked()
    await changed
    return isRight
  }
  const late = product.call(signIn, { email: person.email, password: samplePassword })
  await checked
  await person.call(changePassword, { oldPassword: samplePassword, newPassword: 'Abi-Asman-88' })
  letIn()
  expect((await late).errorType).toBe('WRONG_CREDENTIALS')
  expect((await person.call(getSessions, {})).answer().items).toHaveLength(1)
})

test('a change of level ends every session of that user, up or down', async () => {
  const person = await somebody(product, 1)
  const other = await product.again(person)
  const { email: userEmail } = person
  await product.admin.call(setUserLevel, { userEmail, value: 7 })
  expect([await isIn(person), await isIn(other)]).toEqual([false, false])
  const promoted = await product.again(person)
  await product.admin.call(setUserLevel, { userEmail, value: 2 })
  expect(await isIn(promoted)).toBe(false)
  expect(await isIn(product.admin)).toBe(true)
})

test('sessions are listed with address and device, and ended one by one', async () => {
  const person = await somebody(product, 1)
  await enter(person, { 'user-agent': 'Firefox on a phone' })
  const stranger = await somebody(product, 1)
  const { items } = (await person.call(getSessions, {})).answer()
  expect(items.map((item) => item.sessionIsCurrent).sort()).toEqual([false, true])
  const other = items.find((item) => !item.sessionIsCurrent)
  expect(other).toMatchObject({ sessionAddress: '127.0.0.1' })
  expect(other?.sessionUserAgent).toMatch(/^Fire/)
  expect(JSON.stringify(items)).not.toMatch(/\\u001b|hash|token/)
  const sessionId = other?.sessionId ?? ''
  expect((await stranger.call(revokeSession, { sessionId })).errorType).toBe('RESOURCE_NOT_FOUND')
  expect((await person.call(revokeSession, { sessionId })).status).toBe(200)
  expect((await person.call(revokeSession, { sessionId })).errorType).toBe('RESOURCE_NOT_FOUND')
  const own = await sessionIdOf(product, person.token)
  expect((await person.call(revokeSession, { sessionId: own })).status).toBe(200)
  expect(await isIn(person)).toBe(false)
})

test('an ended session is not listed', async () => {
  const person = await somebody(product, 1)
  product.clock.advance(20 * hour)
  const later = await product.again(person)
  product.clock.advance(20 * hour)
  expect((await later.call(getSessions, {})).answer().items).toHaveLength(1)
})
