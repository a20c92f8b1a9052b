import {
  checkOtp,
  clearAbuse,
  getAnyAccounts,
  getAudit,
  getUser,
  getUserAccounts,
  getUserDetail,
  getUsers,
  newAccount,
  resetUserPassword,
  sendOtp,
  setAnyAccountEnabled,
  setEnabled,
  setUserLevel,
  setUserPhone,
  setUserSuspended,
  signIn,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import type { Body } from '../../../test/calls.ts'
import { openGreeted } from '../../../test/faults/live-stream.ts'
import { openForAllTests } from '../../../test/hooks.ts'
import { type Person, productForAllTests, testEnvironment } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'
import { somebody } from '../../../test/security/callers.ts'
import { freshEmail, samplePassword } from '../../../test/security/samples.ts'
import { openFakeGateway } from '../../../test/security/sms-gateway.ts'
import { sendWaiting } from '../../../test/security/sms-queue.ts'
import { until } from '../../../test/until.ts'

const gateway = openForAllTests(openFakeGateway)
const product = productForAllTests(() => ({ env: { KELID_SMS_URL: gateway.url } }))
beforeAll(() => product.server({ serverMaxAccounts: 1_000 }))

type Choice = Partial<Body<typeof setUserSuspended>>
const suspend = ({ email: userEmail }: Person, choice: Choice = {}) =>
  product.admin.call(setUserSuspended, { userEmail, userSuspended: true, reason: 'unpaid', ...choice })
const lift = (person: Person) => suspend(person, { userSuspended: false, reason: 'paid' })
const enter = (email: string, password: string) => product.call(signIn, { email, password })

const buy = async (person: Person, accountName: string) =>
  (await person.ask(newAccount, { ...directAccount, accountName })).accountUUID
/** The names of a user's enabled accounts. */
const openOnes = async ({ email: userEmail }: Person) =>
  (await product.admin.ask(getAnyAccounts, { userEmail })).items
    .filter(({ accountEnabled }) => accountEnabled)
    .map(({ accountName }) => accountName)
    .sort()

test('a suspended user is signed out at once and cannot sign in; only the right password gets the reason', async () => {
  const person = await somebody(product, 1)
  const stream = await openGreeted(product, person)
  const { userSuspendedDate, ...detail } = (await suspend(person)).answer()
  expect(detail).toMatchObject({
    userSuspended: true,
    userSuspendedReason: 'unpaid',
    userAccountsClosed: false,
  })
  expect(userSuspendedDate).toBe(product.clock.now().toISOString())
  await until(() => stream.isEnded(), 'the stream to end')
  expect(await person.refusal(getUser, {})).toBe('UNAUTHENTICATED')

  const right = await enter(person.email, samplePassword)
  expect([right.status, right.errorType]).toEqual([403, 'ACCOUNT_SUSPENDED'])
  const [wrong, nobody] = [
    await enter(person.email, 'Wrong-Pass-1'),
    await enter(freshEmail(), 'Wrong-Pass-1'),
  ]
  expect(wrong.envelope).toEqual(nobody.envelope)
  expect(wrong.errorType).toBe('WRONG_CREDENTIALS')

  const { password } = await product.admin.ask(resetUserPassword, { userEmail: person.email })
  expect((await enter(person.email, password)).errorType).toBe('ACCOUNT_SUSPENDED')
  expect((await lift(person)).answer()).toMatchObject({
    userSuspended: false,
    userSuspendedDate: null,
    userSuspendedReason: '',
  })
  expect((await enter(person.email, password)).status).toBe(200)
})

test("a suspended user's right password counts as an attempt", async () => {
  const person = await somebody(product, 1)
  await suspend(person)
  const types: (string | undefined)[] = []
  for (let tries = 0; tries < 8; tries += 1) types.push((await enter(person.email, samplePassword)).errorType)
  expect(new Set(types)).toEqual(new Set(['ACCOUNT_SUSPENDED', 'TOO_MANY_ATTEMPTS']))
})

test('a suspended user cannot sign in by SMS', async () => {
  const person = await product.person()
  const mobile = '09127770001'
  await product.admin.ask(setUserPhone, { userEmail: person.email, userPhone: mobile })
  await suspend(person)
  ;(await product.call(sendOtp, { mobile })).answer()
  await sendWaiting(product)
  const otp = gateway.sent.at(-1)?.code ?? ''
  expect((await product.call(checkOtp, { mobile, otp })).errorType).toBe('ACCOUNT_SUSPENDED')
  await lift(person)
  expect((await product.call(checkOtp, { mobile, otp })).status).toBe(200)
})

test('accounts closed with their owner are opened with them, exactly those', async () => {
  const person = await product.person({ points: 100_000 })
  for (const name of ['open_a', 'open_b']) await buy(person, name)
  const off = await buy(person, 'off')
  await person.call(setEnabled, { accountUUID: off, accountEnabled: false })
  const abused = await buy(person, 'abused')
  await product.abuse(abused)
  const late = await buy(person, 'abused_meanwhile')

  expect((await suspend(person, { closeAccounts: true })).answer()).toMatchObject({
    userAccountsClosed: true,
    accountsByState: { active: 0, disabled: 4, abused: 1 },
  })
  expect(await openOnes(person)).toEqual([])
  await product.abuse(late)
  const closed = (await product.admin.ask(getAnyAccounts, { userEmail: person.email })).items
  expect(closed.filter(({ accountClosedBySuspension }) => accountClosedBySuspension)).toHaveLength(3)
  expect((await lift(person)).answer()).toMatchObject({ userAccountsClosed: false })
  expect(await openOnes(person)).toEqual(['open_a', 'open_b'])
  const again = await product.again(person)
  const states = (await again.ask(getUserAccounts, {})).items
  expect(Object.fromEntries(states.map((one) => [one.accountName, one.accountState]))).toEqual({
    open_a: 'active',
    open_b: 'active',
    off: 'disabled',
    abused: 'abused',
    abused_meanwhile: 'abused',
  })
})

test('accounts may be closed later, opened while the suspension lasts, and one of them by itself', async () => {
  const person = await product.person({ points: 100_000 })
  const one = await buy(person, 'one')
  await buy(person, 'two')
  await suspend(person)
  expect(await openOnes(person)).toEqual(['one', 'two'])
  await suspend(person, { closeAccounts: true, reason: 'still unpaid' })
  expect(await openOnes(person)).toEqual([])
  await suspend(person, { reason: 'and still' })
  expect(await product.admin.ask(getUserDetail, { userEmail: person.email })).toMatchObject({
    userSuspendedReason: 'and still',
    userAccountsClosed: true,
  })
  await product.admin.call(setAnyAccountEnabled, { accountUUID: one, accountEnabled: true })
  expect(await openOnes(person)).toEqual(['one'])
  await product.admin.call(setAnyAccountEnabled, { accountUUID: one, accountEnabled: false })
  await suspend(person, { closeAccounts: false })
  expect(await openOnes(person)).toEqual(['two'])
  expect((await product.admin.call(clearAbuse, { accountUUID: one })).status).toBe(200)
})

test('administrators cannot suspend themselves or a user who changed meanwhile; the audit log has each suspension', async () => {
  const person = await product.person()
  expect((await suspend(product.admin)).errorType).toBe('OWN_SUSPENSION')
  expect((await suspend(person, { basedOn: true })).errorType).toBe('CHANGED_MEANWHILE')
  expect((await suspend(person, { basedOn: false, closeAccounts: true })).status).toBe(200)
  expect((await suspend(person, { basedOn: false })).errorType).toBe('CHANGED_MEANWHILE')
  const { items } = await product.admin.ask(getAudit, { userEmail: person.email })
  expect(items).toMatchObject([
    {
      auditAction: 'setusersuspended',
      auditDetail: { from: false, to: true, reason: 'unpaid', accountsClosed: true, accountsChanged: 0 },
    },
  ])
  const { items: suspended } = await product.admin.ask(getUsers, { filter: 'suspended' })
  expect(suspended.map(({ userEmail }) => userEmail)).toContain(person.email)
  expect(suspended.every(({ userSuspended }) => userSuspended)).toBe(true)
})

test('an administrator who is suspended does not count as one: the other cannot be demoted', async () => {
  const other = await product.person({ level: 8 })
  await product.admin.ask(setUserLevel, { userEmail: testEnvironment.KELID_ADMIN_EMAIL, value: 1 })
  await suspend(other)
  const demote = await product.admin.call(setUserLevel, { userEmail: product.admin.email, value: 1 })
  expect(demote.errorType).toBe('LAST_ADMIN')
  expect((await lift(other)).status).toBe(200)
})
