import {
  checkOtp,
  getAudit,
  getDashboard,
  getSessions,
  getUser,
  sendOtp,
  setUserLevel,
  setUserPhone,
} from '@kelid/contract'
import { expect, test, vi } from 'vitest'
import { startWorker } from '../../src/jobs/worker.ts'
import { openForEachTest } from '../hooks.ts'
import { openProduct, type Person, productForEachTest } from '../product.ts'
import { from, waitsOf } from './attempts.ts'
import { openFakeGateway } from './sms-gateway.ts'
import { sendWaiting } from './sms-queue.ts'
import { json, sameness, send } from './wire.ts'

const minute = 60_000
const hour = 60 * minute
const gatewayToken = 'gateway-token-of-the-test'
const mobile = '09121234567'
const nobodys = '09120000001'
const home = '203.0.113.1'
const stranger = '203.0.113.66'

const gateway = openForEachTest(openFakeGateway)
const product = productForEachTest(() => ({
  env: {
    KELID_SMS_URL: gateway.url,
    KELID_SMS_TOKEN: gatewayToken,
    KELID_BRAND_NAME: 'Parvaz',
    KELID_TRUST_PROXY: '1',
  },
}))

async function phoneOwner(level = 1, userPhone = mobile): Promise<Person> {
  const person = await product.person({ level })
  await product.admin.ask(setUserPhone, { userEmail: person.email, userPhone })
  return person
}
const ask = (number = mobile, address = home) => product.call(sendOtp, { mobile: number }, from(address))
const check = (otp: string, number = mobile, address = home) =>
  product.call(checkOtp, { mobile: number, otp }, from(address))
async function newCode(number = mobile, address = home): Promise<string> {
  ;(await ask(number, address)).answer()
  await sendWaiting(product)
  return gateway.sent.at(-1)?.code ?? ''
}
const wrong = (code: string) => (code === '0000' ? '1111' : '0000')

test('signing in by SMS is off until an operator names a gateway', async () => {
  const silent = await openProduct()
  expect((await silent.call(sendOtp, { mobile })).errorType).toBe('SMS_OFF')
  expect((await silent.call(checkOtp, { mobile, otp: '1234' })).errorType).toBe('SMS_OFF')
  expect(await (await silent.raw('/config.json')).json()).toMatchObject({ smsEnabled: false })
  await silent.close()
  expect(await (await product.raw('/config.json')).json()).toMatchObject({ smsEnabled: true })
})

test('the code of the SMS opens a session, once', async () => {
  const person = await phoneOwner()
  const code = await newCode()
  expect(gateway.sent).toEqual([{ mobile, code, text: `Parvaz: ${code}` }])
  expect(code).toMatch(/^\d{4}$/)
  expect(gateway.headers[0]?.authorization).toBe(`Bearer ${gatewayToken}`)
  const { secret } = (await check(code)).answer()
  const me = (await product.call(getUser, {}, { token: secret })).answer()
  expect(me).toMatchObject({ userEmail: person.email, userPhone: mobile })
  expect((await check(code)).errorType).toBe('WRONG_CODE')
  expect((await person.ask(getSessions, {})).items).toHaveLength(2)
  const audit = await product.admin.ask(getAudit, { userEmail: person.email })
  expect(audit.items.map((item) => item.auditAction)).toContain('signin-sms')
})

test('a phone number is recognized in any spelling', async () => {
  const person = await phoneOwner()
  const code = await newCode(`+98${mobile.slice(1)}`)
  const { secret } = (await check(code, `0098${mobile.slice(1)}`)).answer()
  expect((await product.call(getUser, {}, { token: secret })).answer().userEmail).toBe(person.email)
})

test('two checks at once with the right code open one session', async () => {
  await phoneOwner()
  const code = await newCode()
  const replies = await Promise.all(Array.from({ length: 8 }, () => check(code)))
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
})

test('a code ends after five minutes, with the next one, and belongs to its number', async () => {
  await phoneOwner()
  await phoneOwner(1, '09127654321')
  const first = await newCode()
  product.clock.advance(5 * minute)
  expect((await check(first)).errorType).toBe('WRONG_CODE')
  const second = await newCode()
  const others = await newCode('09127654321')
  if (others !== second) expect((await check(second, '09127654321')).errorType).toBe('WRONG_CODE')
  product.clock.advance(5 * minute - 1)
  expect((await check(second)).status).toBe(200)
})

/** Everything a visitor sees of the replies, asking and guessing until they are throttled. */
async function repliesTo(number: string): Promise<string[]> {
  const letter = async (path: string, body: object) =>
    sameness(
      await send(product.url, {
        path,
        headers: { ...json, 'x-forwarded-for': stranger },
        body: JSON.stringify({ client: 'web', clientVersion: '1.0', mobile: number, ...body }),
      }),
    )
  const replies: string[] = []
  for (let count = 0; count < 4; count += 1) {
    replies.push(await letter(sendOtp.path, {}))
    await sendWaiting(product)
    const otp = wrong(gateway.sent.at(-1)?.code ?? '')
    for (let guess = 0; guess < 4; guess += 1) replies.push(await letter(checkOtp.path, { otp }))
  }
  return replies
}

test.each([200, 500])(
  'an unknown number gets the same replies, also when the gateway answers %d',
  async (status) => {
    await phoneOwner()
    gateway.answer(status)
    expect(await repliesTo(mobile)).toEqual(await repliesTo(nobodys))
    expect(new Set(gateway.sent.map((sms) => sms.mobile))).toEqual(new Set([mobile]))
  },
)

test('a call does not wait for the gateway', async () => {
  await phoneOwner()
  gateway.holdBack()
  expect((await ask(mobile)).status).toBe(200)
  expect((await ask(nobodys)).status).toBe(200)
  expect(gateway.sent).toEqual([])
  const sending = sendWaiting(product)
  await vi.waitFor(() => expect(gateway.sent).toHaveLength(1), 20_000)
  expect((await ask(mobile)).status).toBe(200)
  gateway.letGo()
  await sending
})

test('the worker sends the message, and again if the gateway failed', async () => {
  await phoneOwner()
  gateway.answer(503)
  await startWorker(product.ctx)
  expect((await ask()).status).toBe(200)
  await vi.waitFor(() => expect(gateway.sent).toHaveLength(1), 20_000)
  gateway.answer(200)
  await vi.waitFor(() => expect(gateway.sent).toHaveLength(2), 20_000)
  const [first, second] = gateway.sent
  expect(second).toEqual(first)
  expect((await check(second?.code ?? '')).status).toBe(200)
  await product.ctx.jobs.stop(5_000)
})

test('strangers who guess and ask do not lock the owner out', async () => {
  await phoneOwner()
  const code = await newCode()
  for (let count = 0; count < 12; count += 1) await check(wrong(code), mobile, stranger)
  expect((await check(wrong(code), mobile, stranger)).errorType).toBe('TOO_MANY_ATTEMPTS')
  for (let round = 0; round < 3; round += 1) {
    const theirs = await newCode(mobile, stranger)
    for (let count = 0; count < 4; count += 1) await check(wrong(theirs), mobile, stranger)
  }
  expect((await ask(mobile, stranger)).errorType).toBe('TOO_MANY_ATTEMPTS')
  expect((await check(code)).status).toBe(200)
  expect((await check(await newCode())).status).toBe(200)
})

test('many strangers together are throttled, and the owner at a known address is not', async () => {
  await phoneOwner()
  ;(await check(await newCode())).answer()
  let guesses = 0
  const refused = { asks: 0, guesses: 0 }
  for (let number = 1; number <= 20; number += 1) {
    const address = `198.51.100.${number}`
    const asked = await ask(mobile, address)
    if (asked.errorType === 'TOO_MANY_ATTEMPTS') refused.asks += 1
    else await sendWaiting(product)
    const otp = wrong(gateway.sent.at(-1)?.code ?? '')
    for (let count = 0; count < 4; count += 1) {
      const { errorType } = await check(otp, mobile, address)
      if (errorType === 'WRONG_CODE') guesses += 1
      else refused.guesses += 1
    }
  }
  expect(refused.asks).toBeGreaterThan(5)
  expect(refused.guesses).toBeGreaterThan(20)
  expect(guesses).toBeLessThanOrEqual(40)
  expect((await check(await newCode())).status).toBe(200)
})

test('a user whose network has changed since they asked gets in with their code', async () => {
  await phoneOwner()
  const code = await newCode()
  expect((await check(code, mobile, '192.0.2.77')).status).toBe(200)
})

test.each([mobile, nobodys])('three messages in a row, then a growing wait: %s', async (number) => {
  await phoneOwner()
  for (let count = 0; count < 3; count += 1) expect((await ask(number)).status).toBe(200)
  const waits = await waitsOf(product, 8, () => ask(number))
  expect(waits).toEqual([60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
})

test('a number allows ten wrong guesses a day over all codes', async () => {
  await phoneOwner()
  let guesses = 0
  let code = ''
  for (let round = 0; round < 4; round += 1) {
    code = await newCode()
    for (let count = 0; count < 3 && guesses < 10; count += 1) {
      expect((await check(wrong(code))).errorType).toBe('WRONG_CODE')
      guesses += 1
    }
    product.clock.advance(hour)
  }
  code = await newCode()
  const refused = await check(code)
  expect([refused.status, refused.errorType]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(20 * 3_600)
  product.clock.advance(24 * hour)
  expect((await check(await newCode())).status).toBe(200)
})

test('three wrong guesses use a code up', async () => {
  await phoneOwner()
  const code = await newCode()
  for (let count = 0; count < 3; count += 1) await check(wrong(code))
  expect((await check(code)).errorType).toBe('WRONG_CODE')
})

test('fifty guesses at once are no more than ten', async () => {
  await phoneOwner()
  const code = await newCode()
  const replies = await Promise.all(Array.from({ length: 50 }, () => check(wrong(code))))
  const types = replies.map((reply) => reply.errorType)
  expect(types.filter((type) => type === 'WRONG_CODE')).toHaveLength(10)
  expect(types.filter((type) => type === 'TOO_MANY_ATTEMPTS')).toHaveLength(40)
})

test('right codes are not counted as guesses', async () => {
  await phoneOwner()
  for (let count = 0; count < 12; count += 1) {
    expect((await check(await newCode())).status).toBe(200)
    product.clock.advance(hour)
  }
})

test('an administrator cannot sign in by SMS, and their number looks like an unknown one', async () => {
  await phoneOwner(6)
  expect((await ask()).status).toBe(200)
  await sendWaiting(product)
  expect(gateway.sent).toEqual([])
  const user = await phoneOwner(1, '09127654321')
  const code = await newCode('09127654321')
  await product.admin.call(setUserLevel, { userEmail: user.email, value: 6 })
  expect((await check(code, '09127654321')).errorType).toBe('WRONG_CODE')
})

test('a user who becomes an administrator loses the session of an SMS', async () => {
  const user = await phoneOwner()
  const { secret: token } = (await check(await newCode())).answer()
  await product.admin.call(setUserLevel, { userEmail: user.email, value: 6 })
  expect((await product.call(getDashboard, {}, { token })).errorType).toBe('UNAUTHENTICATED')
})

test('a gateway that fails is logged without the message', async () => {
  await phoneOwner()
  gateway.answer(500)
  const code = await newCode()
  await gateway.close()
  await newCode()
  const logs = product.logs.filter((line) => line.includes('SMS')).join('')
  expect(logs).toContain('the gateway answered 500')
  for (const secret of [mobile, `"${code}"`, gatewayToken]) expect(logs).not.toContain(secret)
})

test('the queue holds neither code nor phone, the database no code, and expired codes are deleted', async () => {
  await phoneOwner()
  ;(await ask()).answer()
  const textOf = async (table: string): Promise<string[]> =>
    (await product.sql(`SELECT t::text AS row FROM ${table} t`)).map(({ row }) => row)
  const [row = ''] = await textOf('sms_codes')
  const [uuid = ''] = row.slice(1).split(',')
  const waiting = (await textOf('pgboss.job')).filter((job) => job.includes(uuid))
  expect(waiting).toHaveLength(1)
  await sendWaiting(product)
  const { code = '' } = gateway.sent.at(-1) ?? {}
  for (const job of waiting) {
    expect(job).not.toContain(mobile)
    expect(job.replaceAll(uuid, '')).not.toContain(`"${code}"`)
  }
  const words = row
    .replace(uuid, '')
    .replace(mobile, '')
    .split(/[(),:. "+-]/)
  expect(words).not.toContain(code)

  product.clock.advance(5 * minute)
  await product.job('purge')
  expect(await textOf('sms_codes')).toEqual([])
})
