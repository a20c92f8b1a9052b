import {
  endUserSessions,
  getAudit,
  getUser,
  getUserDetail,
  getUserSessions,
  resetUserPassword,
  rules,
  signIn,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { sessionIdOf, somebody } from '../../../test/security/callers.ts'
import { samplePassword } from '../../../test/security/samples.ts'

const product = productForAllTests()

const isIn = async (person: Person) => (await person.call(getUser, {})).status === 200

test('an administrator sees the sessions of a user and ends one of them, or all', async () => {
  const person = await product.person()
  const other = await product.again(person)
  const third = await product.again(person)
  const { email: userEmail } = person
  const sessions = (await product.admin.ask(getUserSessions, { userEmail })).items
  expect(sessions).toHaveLength(3)
  expect(sessions.some(({ sessionIsCurrent }) => sessionIsCurrent)).toBe(false)
  const sessionId = await sessionIdOf(product, other.token)
  await product.admin.ask(endUserSessions, { userEmail, sessionId })
  expect([await isIn(person), await isIn(other), await isIn(third)]).toEqual([true, false, true])
  await product.admin.ask(endUserSessions, { userEmail })
  expect([await isIn(person), await isIn(third)]).toEqual([false, false])
  const { items } = await product.admin.ask(getAudit, { userEmail })
  expect(items.map(({ auditDetail }) => auditDetail)).toEqual([{ session: 'all' }, { session: sessionId }])
})

test('a session of one user is not ended under the name of another', async () => {
  const [one, other] = [await product.person(), await product.person()]
  const sessionId = await sessionIdOf(product, one.token)
  const reply = await product.admin.call(endUserSessions, { userEmail: other.email, sessionId })
  expect(reply.errorType).toBe('RESOURCE_NOT_FOUND')
  expect(await isIn(one)).toBe(true)
})

test('an administrator may end their own sessions and reset their own password', async () => {
  const admin = await product.person({ level: 7 })
  const { email: userEmail } = admin
  expect((await admin.ask(getUserSessions, { userEmail })).items).toMatchObject([{ sessionIsCurrent: true }])
  await admin.ask(endUserSessions, { userEmail })
  expect(await isIn(admin)).toBe(false)
  const again = await product.again(admin)
  expect(await again.ask(resetUserPassword, { userEmail })).toMatchObject({ userEmail })
  expect(await isIn(again)).toBe(false)
})

test('a new password is shown once and only to the administrator; the old one and every session end', async () => {
  const person = await somebody(product, 1)
  const { email, email: userEmail } = person
  const reply = await product.admin.call(resetUserPassword, { userEmail })
  expect(reply.headers.get('cache-control')).toBe('no-store')
  const { password } = reply.answer()
  expect(rules.newPassword.safeParse(password).success).toBe(true)
  expect(await isIn(person)).toBe(false)
  expect((await product.call(signIn, { email, password: samplePassword })).errorType).toBe(
    'WRONG_CREDENTIALS',
  )
  expect((await product.call(signIn, { email, password })).status).toBe(200)
  const second = (await product.admin.ask(resetUserPassword, { userEmail })).password
  expect(second).not.toBe(password)
  expect(product.logs.join('')).not.toContain(password)
  const { items } = await product.admin.ask(getAudit, { userEmail })
  expect(JSON.stringify(items)).not.toContain(password)
  expect(items[0]).toMatchObject({ auditAction: 'resetpassword', auditActor: product.admin.email })
})

test('a user was last seen when a session of theirs was used, or else when they signed in', async () => {
  const person = await somebody(product, 1)
  const seen = async () =>
    (await product.admin.ask(getUserDetail, { userEmail: person.email })).userLastSeenDate
  const used = product.clock.now().toISOString()
  expect(await seen()).toBe(used)
  await product.admin.ask(endUserSessions, { userEmail: person.email })
  expect(await seen()).toBeNull()
  await product.call(signIn, { email: person.email, password: samplePassword })
  await product.admin.ask(endUserSessions, { userEmail: person.email })
  expect(await seen()).toBe(used)
})
