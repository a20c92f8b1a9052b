import {
  confirmSecondFactor,
  getDashboard,
  getSecondFactor,
  getSettings,
  getUser,
  newRecoveryCodes,
  removeSecondFactor,
  setSettings,
  setUserLevel,
  startSecondFactor,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { backUp, restoreInto, temporaryFolder } from '../../src/db/backup/backup.fixture.ts'
import { resetPassword } from '../../src/features/auth/reset-password.ts'
import { removeFor } from '../../src/features/auth/second-factor-setup.ts'
import { codeAt, stepOf } from '../../src/features/second-factor/totp.ts'
import { createDatabase } from '../database.ts'
import { together } from '../faults/races.ts'
import { openProduct, productForAllTests } from '../product.ts'
import { somebody } from './callers.ts'
import { freshEmail, samplePassword } from './samples.ts'
import { enter, fromBase32, guardedAdmin } from './second-factor.ts'

const product = productForAllTests({ env: { KELID_TRUST_PROXY: '1', KELID_BRAND_NAME: 'Sabz & Co' } })

const byOperator = { email: 'command line', address: '' }
const password = samplePassword
const wrong = '000000'
const outcomes = (replies: readonly { errorType: string | undefined }[]) =>
  replies.map(({ errorType }) => errorType ?? 'OK')
const audited = async (subject: string): Promise<string[]> => {
  const lines = await product.sql(
    `SELECT concat_ws(' ', action, detail) AS line FROM audit
    WHERE subject = $1 ORDER BY id`,
    subject,
  )
  return lines.map(({ line }) => line)
}

test('an administrator sets it up with the password and a code, and other sessions end', async () => {
  const person = await somebody(product, 6)
  const elsewhere = await product.again(person)
  const state = async () => (await person.call(getSecondFactor, {})).answer()
  const off = { isOn: false, isRequired: false, recoveryCodesLeft: 0, since: null }
  expect(await state()).toEqual(off)
  expect((await person.call(startSecondFactor, { password: 'Wrong-Pass-1' })).errorType).toBe(
    'WRONG_CREDENTIALS',
  )

  const { secret, otpauthUrl } = (await person.call(startSecondFactor, { password })).answer()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(otpauthUrl).toBe(
    `otpauth://totp/Sabz%20%26%20Co:${encodeURIComponent(person.email)}?secret=${secret}&issuer=Sabz%20%26%20Co`,
  )
  expect(await state()).toEqual(off)
  expect((await enter(product, person.email)).status, 'what is not confirmed is not asked for').toBe(200)
  expect((await person.call(confirmSecondFactor, { code: wrong })).errorType).toBe('WRONG_CODE')

  const code = codeAt(fromBase32(secret), stepOf(product.clock.now()))
  const { recoveryCodes } = (await person.call(confirmSecondFactor, { code })).answer()
  expect(new Set(recoveryCodes).size).toBe(10)
  for (const one of recoveryCodes) expect(one).toMatch(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/)
  const since = product.clock.now().toISOString()
  expect(await state()).toEqual({ isOn: true, isRequired: false, recoveryCodesLeft: 10, since })
  expect((await elsewhere.call(getUser, {})).errorType).toBe('UNAUTHENTICATED')
  for (const again of [
    await person.call(startSecondFactor, { password }),
    await person.call(confirmSecondFactor, { code }),
  ])
    expect(again.errorType).toBe('SECOND_FACTOR_ON')
  expect(await audited(person.email)).toContain('confirmsecondfactor {"from":"off","to":"on"}')
})

test('a setup that was started again or abandoned does not count', async () => {
  const person = await somebody(product, 6)
  const begin = async () => (await person.call(startSecondFactor, { password })).answer().secret
  const confirm = (secret: string) =>
    person.call(confirmSecondFactor, { code: codeAt(fromBase32(secret), stepOf(product.clock.now())) })
  const [first, second] = [await begin(), await begin()]
  expect((await confirm(first)).errorType).toBe('WRONG_CODE')
  product.clock.advance(15 * 60_000 + 1)
  expect((await confirm(second)).errorType).toBe('RESOURCE_NOT_FOUND')
  expect((await confirm(await begin())).status).toBe(200)
})

test('signing in asks for the code, accepts it once, and returns the level', async () => {
  const admin = await guardedAdmin(product)
  const asked = await enter(product, admin.email)
  expect([asked.status, asked.errorType]).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
  const opened = (await enter(product, admin.email, admin.code())).answer()
  expect(opened).toEqual({ token: expect.any(String), userLevel: 6 })
  expect((await product.call(getDashboard, {}, { token: opened.token })).status).toBe(200)
  expect((await enter(product, admin.email, admin.code())).errorType, 'a second time').toBe('WRONG_CODE')
  expect((await enter(product, admin.email, admin.code(-1))).errorType, 'an earlier one').toBe('WRONG_CODE')
  expect((await enter(product, admin.email, '')).errorType).toBe('WRONG_CODE')
  expect((await audited(admin.email)).slice(-4)).toEqual([
    'signin {}',
    ...Array(3).fill('signin-failed {"code":"wrong"}'),
  ])
})

test('a reseller does not learn their level, and an unneeded code is ignored', async () => {
  const { email } = await somebody(product, 5)
  expect((await enter(product, email, wrong)).answer()).toEqual({ token: expect.any(String) })
})

test('the clock of an app may be half a minute off, and no more', async () => {
  const admin = await guardedAdmin(product)
  expect(outcomes([await enter(product, admin.email, admin.code(-2))])).toEqual(['WRONG_CODE'])
  expect(outcomes([await enter(product, admin.email, admin.code(2))])).toEqual(['WRONG_CODE'])
  expect((await enter(product, admin.email, admin.code(-1))).status).toBe(200)
  expect((await enter(product, admin.email, admin.code(1))).status).toBe(200)
})

test('codes are taken as people type them', async () => {
  const admin = await guardedAdmin(product)
  const persian = admin.code().replace(/\d/g, (digit) => String.fromCharCode(0x06f0 + Number(digit)))
  const [first = '', second = ''] = admin.recoveryCodes
  for (const code of [
    ` ${persian.slice(0, 3)} ${persian.slice(3)} `,
    first.toLowerCase(),
    second.replace('-', ' '),
  ])
    expect((await enter(product, admin.email, code)).status, code).toBe(200)
})

test('of fifty concurrent sign-ins with one code, one succeeds', async () => {
  const admin = await guardedAdmin(product)
  // From one network each, or they would wait for each other's guesses.
  const replies = await together((index) =>
    enter(product, admin.email, admin.code(), { address: `198.51.${index}.7` }),
  )
  const kinds = outcomes(replies)
  expect(kinds.filter((kind) => kind === 'OK')).toHaveLength(1)
  expect(kinds.filter((kind) => !['OK', 'WRONG_CODE', 'TOO_MANY_ATTEMPTS'].includes(kind))).toEqual([])
})

test('a recovery code works once, also for many at once, and is audited', async () => {
  const admin = await guardedAdmin(product)
  await enter(product, admin.email, admin.code())
  const [code = '', other = ''] = admin.recoveryCodes
  const replies = await together(() => enter(product, admin.email, code), 8)
  expect(outcomes(replies).sort()).toEqual(['OK', ...Array(7).fill('WRONG_CODE')])
  const token = replies.find(({ status }) => status === 200)?.answer().token ?? ''
  expect((await product.call(getSecondFactor, {}, { token })).answer().recoveryCodesLeft).toBe(9)
  expect((await audited(admin.email)).filter((line) => line.startsWith('userecoverycode'))).toHaveLength(1)
  const stranger = await guardedAdmin(product)
  expect((await enter(product, stranger.email, other)).errorType, 'of somebody else').toBe('WRONG_CODE')
})

test('new recovery codes end the old ones, and take the password and a code', async () => {
  const admin = await guardedAdmin(product)
  const renew = (proof: { password: string; code: string }) => admin.call(newRecoveryCodes, proof)
  const [old = '', proof = ''] = admin.recoveryCodes
  expect((await renew({ password: 'Wrong-Pass-1', code: admin.code() })).errorType).toBe('WRONG_CREDENTIALS')
  expect((await renew({ password, code: wrong })).errorType).toBe('WRONG_CODE')
  const { recoveryCodes } = (await renew({ password, code: proof })).answer()
  expect(recoveryCodes).toHaveLength(10)
  expect((await enter(product, admin.email, old)).errorType).toBe('WRONG_CODE')
  expect((await enter(product, admin.email, recoveryCodes[9])).status).toBe(200)
  expect(await audited(admin.email)).toContain('newrecoverycodes {"from":9,"to":10,"proof":"recovery"}')
})

test('an administrator removes it with the password and a code, and then signs in with the password', async () => {
  const admin = await guardedAdmin(product)
  const remove = (proof: { password: string; code: string }) => admin.call(removeSecondFactor, proof)
  expect((await remove({ password: 'Wrong-Pass-1', code: admin.code() })).errorType).toBe('WRONG_CREDENTIALS')
  expect((await remove({ password, code: wrong })).errorType).toBe('WRONG_CODE')
  expect((await remove({ password, code: admin.code() })).status).toBe(200)
  expect((await remove({ password, code: admin.code(1) })).errorType).toBe('RESOURCE_NOT_FOUND')
  expect((await enter(product, admin.email)).status).toBe(200)
  expect((await audited(admin.email)).at(-2)).toBe(
    'removesecondfactor {"from":"on","to":"off","proof":"app"}',
  )
})

test('a new password does not remove it, the operator does', async () => {
  const admin = await guardedAdmin(product)
  await resetPassword(product.ctx, byOperator, admin.email, samplePassword)
  expect((await enter(product, admin.email)).errorType).toBe('SECOND_FACTOR_REQUIRED')
  const { token } = (await enter(product, admin.email, admin.code())).answer()
  expect(await removeFor(product.ctx, byOperator, admin.email)).toBe('removed')
  expect((await product.call(getUser, {}, { token })).errorType).toBe('UNAUTHENTICATED')
  expect((await enter(product, admin.email)).status).toBe(200)
  expect(await removeFor(product.ctx, byOperator, admin.email)).toBe('had none')
  expect(await removeFor(product.ctx, byOperator, freshEmail())).toBe('nobody')
})

test('a demoted administrator is not asked for a code; one who is promoted again is', async () => {
  const admin = await guardedAdmin(product)
  const boss = await product.again(product.admin)
  const level = async (value: number) =>
    (await boss.call(setUserLevel, { userEmail: admin.email, value })).answer()
  await level(5)
  const { token, userLevel } = (await enter(product, admin.email)).answer()
  expect(userLevel).toBeUndefined()
  for (const reply of [
    await product.call(getSecondFactor, {}, { token }),
    await product.call(removeSecondFactor, { password, code: admin.code() }, { token }),
  ])
    expect(reply.errorType).toBe('ACCESS_DENIED')
  await level(6)
  expect((await enter(product, admin.email)).errorType).toBe('SECOND_FACTOR_REQUIRED')
  expect((await enter(product, admin.email, admin.code())).status).toBe(200)
})

test('where a second factor is required, an administrator without one can only set it up', async () => {
  const admin = await guardedAdmin(product)
  const bare = await somebody(product, 6)
  const reseller = await somebody(product, 1)
  expect((await bare.call(setSettings, { secondFactor: 'required' })).errorType).toBe('SECOND_FACTOR_MISSING')
  expect((await admin.call(setSettings, { secondFactor: 'required' })).answer().secondFactor).toBe('required')

  const { token } = (await enter(product, bare.email)).answer()
  const refused = await product.call(getSettings, {}, { token })
  expect([refused.status, refused.errorType]).toEqual([403, 'SECOND_FACTOR_MISSING'])
  expect((await product.call(getUser, {}, { token })).status).toBe(200)
  expect((await reseller.call(getSettings, {})).errorType).toBe('ACCESS_DENIED')
  expect((await admin.call(getSettings, {})).status).toBe(200)
  expect((await bare.call(getSecondFactor, {})).answer()).toMatchObject({ isOn: false, isRequired: true })

  const { secret } = (await bare.call(startSecondFactor, { password })).answer()
  expect((await bare.call(getSettings, {})).errorType, 'begun is not done').toBe('SECOND_FACTOR_MISSING')
  const code = codeAt(fromBase32(secret), stepOf(product.clock.now()))
  expect((await bare.call(confirmSecondFactor, { code })).status).toBe(200)
  expect((await bare.call(setSettings, { secondFactor: 'optional' })).answer().secondFactor).toBe('optional')
})

test('without the password a second factor is not revealed', async () => {
  const admin = await guardedAdmin(product)
  const plain = await somebody(product, 6)
  const replies = []
  for (const email of [admin.email, plain.email, freshEmail()])
    for (const code of [undefined, admin.code()])
      replies.push(await enter(product, email, code, { password: 'Wrong-Pass-1' }))
  expect(new Set(replies.map(({ status, envelope }) => `${status} ${JSON.stringify(envelope)}`)).size).toBe(1)
  expect((await enter(product, admin.email, admin.code())).status, 'and used up no code').toBe(200)
})

test('a restored backup requires the same factor and refuses used codes and used recovery codes', async () => {
  const admin = await guardedAdmin(product)
  const [used = '', unused = ''] = admin.recoveryCodes
  await enter(product, admin.email, admin.code())
  await enter(product, admin.email, used)
  const path = `${await temporaryFolder()}/backup.gz`
  await backUp(product.database, path)
  const database = await createDatabase({ isEmpty: true })
  await restoreInto(database, path)
  const restored = await openProduct({ database, clock: product.clock })
  const outcome = async (code?: string) => (await enter(restored, admin.email, code)).errorType ?? 'OK'
  expect(await outcome()).toBe('SECOND_FACTOR_REQUIRED')
  expect([await outcome(admin.code()), await outcome(used)]).toEqual(['WRONG_CODE', 'WRONG_CODE'])
  expect([await outcome(admin.code(1)), await outcome(unused)]).toEqual(['OK', 'OK'])
  await restored.close()
  await database.close()
})
