import { getSessions, getUser, getUsers, signIn } from '@kelid/contract'
import { expect, test } from 'vitest'
import { productForAllTests } from '../../test/product.ts'
import { enter, guardedAdmin } from '../../test/security/second-factor.ts'
import { kelid as inThisProcess, passwordIn, runKelid } from './cli.fixture.ts'

const product = productForAllTests()

const environment = () => ({
  DATABASE_URL: product.database.url,
  KELID_DATA_DIR: product.ctx.config.KELID_DATA_DIR,
})
const kelid = (...args: string[]) => inThisProcess(args, environment())

const audited = async (action: string) =>
  (await product.sql('SELECT * FROM audit WHERE action = $1 ORDER BY id DESC LIMIT 1', action))[0]

test('create-admin prints a password that works, once, and says so when the e-mail is taken', async () => {
  const made = await runKelid(['create-admin', 'Boss@Example.com'], environment())
  expect(made).toMatchObject({ code: 0 })
  const password = passwordIn(made)
  expect(password).toMatch(/^\w{5}(-\w{5}){3}$/)
  const { token } = (await product.call(signIn, { email: 'boss@example.com', password })).answer()
  expect((await product.call(getUser, {}, { token })).answer()).toMatchObject({ userLevel: 10 })
  expect(await audited('createadmin')).toMatchObject({ actor: 'command line', subject: 'boss@example.com' })

  const again = await kelid('create-admin', 'boss@example.com')
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toMatch(/already a user with the e-mail boss@example.com/)
  expect((await product.call(signIn, { email: 'boss@example.com', password })).status).toBe(200)
})

test('reset-password ends every session, and the user can sign in at once, also after many failures', async () => {
  const person = await product.person()
  const guess = () => product.call(signIn, { email: person.email, password: 'Wrong-password-1' })
  for (let tries = 0; tries < 7; tries++) await guess()
  expect((await guess()).errorType).toBe('TOO_MANY_ATTEMPTS')

  const outcome = await kelid('reset-password', person.email)
  expect(outcome.code).toBe(0)
  expect(await person.refusal(getSessions, {})).toBe('UNAUTHENTICATED')
  const reply = await product.call(signIn, { email: person.email, password: passwordIn(outcome) })
  expect(reply.status).toBe(200)
  expect(await audited('resetpassword')).toMatchObject({ actor: 'command line', subject: person.email })

  expect(await kelid('reset-password', 'nobody@example.com')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no user with the e-mail nobody@example.com.\n',
  })
})

test('set-level changes the level, ends sessions, and leaves the last administrator', async () => {
  const person = await product.person()
  expect(await kelid('set-level', person.email, '6')).toMatchObject({
    code: 0,
    stdout: `${person.email} has level 6 now, and their sessions have ended.\n`,
  })
  expect(await person.refusal(getUser, {})).toBe('UNAUTHENTICATED')
  expect(await audited('setuserlevel')).toMatchObject({
    actor: 'command line',
    subject: person.email,
    detail: '{"from":1,"to":6}',
  })
  expect(await kelid('set-level', 'nobody@example.com', '6')).toMatchObject({ code: 1 })

  const { items } = await product.admin.ask(getUsers, {})
  const others = items.filter(({ userLevel, userEmail }) => userLevel > 5 && userEmail !== person.email)
  for (const { userEmail } of others)
    expect((await kelid('set-level', userEmail, '1')).code, userEmail).toBe(0)
  expect(await kelid('set-level', person.email, '5')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The last administrator cannot be demoted or suspended.\n',
  })
})

test('after remove-second-factor the password alone is enough, and earlier sessions end', async () => {
  const admin = await guardedAdmin(product)
  expect(await kelid('remove-second-factor', admin.email.toUpperCase())).toMatchObject({
    code: 0,
    stdout: `${admin.email} has no second factor now, and their sessions have ended.\n`,
  })
  expect(await admin.refusal(getUser, {})).toBe('UNAUTHENTICATED')
  expect((await enter(product, admin.email)).status).toBe(200)
  expect(await audited('removesecondfactor')).toMatchObject({
    actor: 'command line',
    subject: admin.email,
    detail: '{"from":"on","to":"off"}',
  })
  for (const [email, says] of [
    [admin.email, `${admin.email} has no second factor.`],
    ['nobody@example.com', 'There is no user with the e-mail nobody@example.com.'],
  ] as const)
    expect(await kelid('remove-second-factor', email)).toEqual({ code: 1, stdout: '', stderr: `${says}\n` })
})

test('the commands leave no secret in logs or in the database', async () => {
  const person = await product.person()
  const password = passwordIn(await runKelid(['reset-password', person.email], environment()))
  const rows = await product.sql('SELECT t::text AS row FROM audit t')
  expect(rows.map(({ row }) => row).join('\n') + product.logs.join('\n')).not.toContain(password)
})
