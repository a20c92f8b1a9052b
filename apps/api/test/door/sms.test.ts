import { createHash } from 'node:crypto'
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
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openProduct, type Person, type Product } from '../product.ts'
import { type FakeGateway, openFakeGateway } from './sms-gateway.ts'
import { json, sameness, send } from './wire.ts'

const minute = 60_000
const hour = 60 * minute
const gatewayToken = 'gateway-token-of-the-test'
const mobile = '09121234567'

let gateway: FakeGateway
let product: Product
beforeEach(async () => {
  gateway = await openFakeGateway()
  const env = { KELID_SMS_URL: gateway.url, KELID_SMS_TOKEN: gatewayToken, KELID_BRAND_NAME: 'Parvaz' }
  product = await openProduct({ env })
})
afterEach(async () => {
  await product.close()
  await gateway.close()
})

async function phoneOwner(level = 1, userPhone = mobile): Promise<Person> {
  const person = await product.person({ level })
  ;(await product.admin.call(setUserPhone, { userEmail: person.email, userPhone })).answer()
  return person
}
const ask = (number = mobile) => product.call(sendOtp, { mobile: number })
const check = (otp: string, number = mobile) => product.call(checkOtp, { mobile: number, otp })
async function newCode(number = mobile): Promise<string> {
  ;(await ask(number)).answer()
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
  expect((await person.call(getSessions, {})).answer().items).toHaveLength(2)
  const audit = (await product.admin.call(getAudit, { userEmail: person.email })).answer()
  expect(audit.items.map((item) => item.auditAction)).toContain('signin-sms')
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

test('an unknown number hears the same, and nothing is sent', async () => {
  await phoneOwner()
  const letter = (number: string) =>
    send(product.url, {
      path: sendOtp.path,
      headers: json,
      body: JSON.stringify({ client: 'web', clientVersion: '1.0', mobile: number }),
    })
  const replies = [await letter(mobile), await letter('09120000001')]
  expect(sameness(replies[0] as never)).toBe(sameness(replies[1] as never))
  expect(gateway.sent).toHaveLength(1)
  expect((await check('1234', '09120000001')).errorType).toBe('WRONG_CODE')
})

test.each([mobile, '09120000001'])('three messages in a row, then a growing wait: %s', async (number) => {
  await phoneOwner()
  for (let count = 0; count < 3; count += 1) expect((await ask(number)).status).toBe(200)
  const waits: number[] = []
  for (let count = 0; count < 8; count += 1) {
    const refused = await ask(number)
    expect([refused.status, refused.errorType]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
    const wait = Number(refused.headers.get('retry-after'))
    waits.push(wait)
    product.clock.advance(wait * 1_000)
    expect((await ask(number)).status).toBe(200)
  }
  expect(waits).toEqual([60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
})

test('ten wrong guesses a day, whatever number of codes was sent', async () => {
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

test('an administrator never enters by SMS, and nobody can tell their number from an unknown one', async () => {
  await phoneOwner(6)
  expect((await ask()).status).toBe(200)
  expect(gateway.sent).toEqual([])
  const user = await phoneOwner(1, '09127654321')
  const code = await newCode('09127654321')
  await product.admin.call(setUserLevel, { userEmail: user.email, value: 6 })
  expect((await check(code, '09127654321')).errorType).toBe('WRONG_CODE')
})

test('whoever becomes an administrator later does not keep the session of an SMS', async () => {
  const user = await phoneOwner()
  const { secret: token } = (await check(await newCode())).answer()
  await product.admin.call(setUserLevel, { userEmail: user.email, value: 6 })
  expect((await product.call(getDashboard, {}, { token })).errorType).toBe('UNAUTHENTICATED')
})

test('a gateway that fails is told to the user, without what was to be sent', async () => {
  await phoneOwner()
  gateway.answer(500)
  const failed = await ask()
  expect([failed.status, failed.errorType]).toEqual([502, 'SMS_FAILED'])
  const { code = '' } = gateway.sent.at(-1) ?? {}
  await gateway.close()
  expect((await ask()).errorType).toBe('SMS_FAILED')
  const logs = product.logs.filter((line) => line.includes('SMS')).join('')
  expect(logs).toContain('an SMS was not sent')
  for (const secret of [mobile, `"${code}"`, gatewayToken]) expect(logs).not.toContain(secret)
})

test('what is stored of a code does not give it away', async () => {
  await phoneOwner()
  const code = await newCode()
  const { rows } = await product.ctx.pool.query('SELECT code_hash FROM sms_codes')
  const plainHashes = [code, `${mobile}${code}`, `sms ${mobile}\0${code}`].map((text) =>
    createHash('sha256').update(text).digest('hex'),
  )
  expect(plainHashes).not.toContain(rows[0].code_hash.toString('hex'))
})
