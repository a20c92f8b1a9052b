import {
  adjustUserCredit,
  changePassword,
  checkOtp,
  getSessions,
  sendOtp,
  setUserLevel,
  setUserPhone,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { resetPassword } from '../../src/features/auth/reset-password.ts'
import { openForAllTests } from '../hooks.ts'
import type { Person } from '../product.ts'
import { somebody } from '../security/callers.ts'
import { samplePassword } from '../security/samples.ts'
import { openFakeGateway } from '../security/sms-gateway.ts'
import { sendWaiting } from '../security/sms-queue.ts'
import { inTurn, type Outcome, openRaced, raceOften, tally } from './races.ts'

const gateway = openForAllTests(openFakeGateway)
const product = openForAllTests(() => openRaced({ KELID_SMS_URL: gateway.url }))

const change = (person: Person, newPassword: string) =>
  person.call(changePassword, { oldPassword: samplePassword, newPassword })
const storedHash = async ({ id }: Person) =>
  (await product.sql('SELECT password_hash FROM users WHERE id = $1', id))[0].password_hash

raceOften('of two changes of the password at once one is done and the other refused', async () => {
  const person = await somebody(product, 1)
  const passwords = ['Abi-Asman-88', 'Sorkh-Anar-99'] as const
  const replies = await Promise.all(passwords.map((password) => change(person, password)))
  expect(tally(replies)).toEqual({ done: 1, WRONG_CREDENTIALS: 1 })
  const chosen = passwords[replies.findIndex(({ status }) => status === 200)] as string
  expect(await product.ctx.passwords.matches(await storedHash(person), chosen)).toBe(true)
})

raceOften('of two sessions that change the password at once the second has ended', async () => {
  const person = await somebody(product, 1)
  const other = await product.again(person)
  const replies = await Promise.all([change(person, 'Abi-Asman-88'), change(other, 'Sorkh-Anar-99')])
  expect(tally(replies)).toEqual({ done: 1, UNAUTHENTICATED: 1 })
})

test('a change of the password that waited while an operator reset it is refused', async () => {
  const person = await somebody(product, 1)
  const byOperator = { email: 'command line', address: '' }
  const [, reply] = await inTurn<Outcome | null>(product, person, [
    async () => {
      await resetPassword(product.ctx, byOperator, person.email, 'Narenji-Gol-55')
      return null
    },
    () => change(person, 'Abi-Asman-88'),
  ])
  expect(reply?.errorType).toBe('UNAUTHENTICATED')
  expect(await product.ctx.passwords.matches(await storedHash(person), 'Narenji-Gol-55')).toBe(true)
})

test('an administrator whose own call waits behind her demotion does nothing more', async () => {
  const admin = await product.person({ level: 9 })
  const setLevel = (by: Person, value: number) => by.call(setUserLevel, { userEmail: admin.email, value })
  const [demoted, ...refused] = await inTurn<Outcome>(product, admin, [
    () => setLevel(product.admin, 1),
    () => setLevel(admin, 10),
    () => admin.call(adjustUserCredit, { userEmail: admin.email, amount: 100, reason: 'for myself' }),
  ])
  expect(demoted?.status).toBe(200)
  expect(refused.map(({ errorType }) => errorType)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED'])
  expect(await product.sql('SELECT level, points FROM users WHERE id = $1', admin.id)).toEqual([
    { level: 1, points: 0 },
  ])
})

test.each([
  ['the phone is removed', null],
  ['the user becomes an administrator', 8],
])('a code that is checked while %s opens nothing', async (_, level) => {
  const mobile = `0912000000${level ?? 0}`
  const person = await product.person()
  const userEmail = person.email
  await product.admin.ask(setUserPhone, { userEmail, userPhone: mobile })
  ;(await product.call(sendOtp, { mobile })).answer()
  await sendWaiting(product)
  const otp = gateway.sent.at(-1)?.code ?? ''
  const [changed, reply] = await inTurn<Outcome>(product, person, [
    () =>
      level === null
        ? product.admin.call(setUserPhone, { userEmail, userPhone: null })
        : product.admin.call(setUserLevel, { userEmail, value: level }),
    () => product.call(checkOtp, { mobile, otp }),
  ])
  expect([changed?.status, reply?.errorType]).toEqual([200, 'WRONG_CODE'])
  const after = await product.again(person)
  expect((await after.ask(getSessions, {})).items).toHaveLength(level === null ? 2 : 1)
})
