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

test('a reset shows a new password and ends the old one and every session', async () => {
  const person = await somebody(product, 1)
  const { email, email: userEmail } = person
  const { password } = await product.admin.ask(resetUserPassword, { userEmail })
  expect(rules.newPassword.safeParse(password).success).toBe(true)
  expect(await isIn(person)).toBe(false)
  expect((await product.call(signIn, { email, password: samplePassword })).errorType).toBe(
    'WRONG_CREDENTIALS',
  )
  expect((await product.call(signIn, { email, password })).status).toBe(200)
  const second = (await product.admin.ask(resetUserPassword, { userEmail })).password
  expect(second).not.toBe(password)
  const act = { auditAction: 'resetpassword', auditActor: product.admin.email }
  expect(await product.lastAudit()).toMatchObject(act)
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
