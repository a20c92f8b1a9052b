import { confirmSecondFactor, removeSecondFactor, startSecondFactor } from '@kelid/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openProduct, type Product } from '../product.ts'
import { somebody } from './callers.ts'
import { samplePassword } from './samples.ts'
import { enter, guardedAdmin } from './second-factor.ts'

let product: Product
beforeEach(async () => {
  product = await openProduct({ env: { KELID_TRUST_PROXY: '1' } })
})
afterEach(() => product.close())

const wrong = '000000'
const attackers = (count: number) => `198.51.100.${count}`
const waitOf = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'))

test('who has the password guesses codes as slowly as passwords, wherever they sit', async () => {
  const { email } = await guardedAdmin(product)
  for (let count = 1; count <= 5; count += 1)
    expect((await enter(product, email, wrong, { address: attackers(count) })).errorType).toBe('WRONG_CODE')
  const waits: number[] = []
  for (let round = 0; round < 12; round += 1) {
    const refused = await enter(product, email, wrong, { address: attackers(100 + round) })
    expect(refused.errorType).toBe('TOO_MANY_ATTEMPTS')
    waits.push(waitOf(refused))
    product.clock.advance(waitOf(refused) * 1_000)
    expect((await enter(product, email, wrong, { address: attackers(100 + round) })).errorType).toBe(
      'WRONG_CODE',
    )
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
})

test('the right password alone forgets no guesses; the right code does', async () => {
  const admin = await guardedAdmin(product)
  const guess = (code?: string) => enter(product, admin.email, code, { address: attackers(1) })
  for (let count = 0; count < 4; count += 1) expect((await guess(wrong)).errorType).toBe('WRONG_CODE')
  expect((await guess()).errorType).toBe('SECOND_FACTOR_REQUIRED')
  expect((await guess(wrong)).errorType).toBe('TOO_MANY_ATTEMPTS')
  product.clock.advance(1_000)
  expect((await guess()).errorType).toBe('SECOND_FACTOR_REQUIRED')
  product.clock.advance(2_000)
  expect((await guess(admin.code())).status).toBe(200)
  for (let count = 0; count < 5; count += 1) expect((await guess(wrong)).errorType).toBe('WRONG_CODE')
})

test('fifty codes guessed at once are no more than fifty in a row', async () => {
  const { email } = await guardedAdmin(product)
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, count) => enter(product, email, wrong, { address: attackers(count) })),
  )
  expect(replies.filter(({ errorType }) => errorType === 'WRONG_CODE')).toHaveLength(5)
})

test('at a known address guessing a code soon waits as long as elsewhere', async () => {
  const admin = await guardedAdmin(product)
  const home = { address: '203.0.113.20' }
  expect((await enter(product, admin.email, admin.code(), home)).status).toBe(200)
  let guesses = 0
  const until = product.clock.now().getTime() + 24 * 3_600_000
  while (product.clock.now().getTime() < until) {
    const reply = await enter(product, admin.email, wrong, home)
    if (reply.errorType === 'WRONG_CODE') guesses += 1
    else product.clock.advance(waitOf(reply) * 1_000)
  }
  expect(guesses).toBeLessThan(120)
})

test('an administrator comes in from a known address all through an attack', async () => {
  const admin = await guardedAdmin(product)
  const home = { address: '203.0.113.20' }
  expect((await enter(product, admin.email, admin.code(), home)).status).toBe(200)
  for (let round = 0; round < 3; round += 1) {
    for (let count = 0; count < 8; count += 1)
      await enter(product, admin.email, wrong, { address: attackers(count) })
    product.clock.advance(60_000)
    expect((await enter(product, admin.email, admin.code(), home)).status).toBe(200)
  }
})

test('administrators who share an address and come in by two steps are not counted', async () => {
  const admin = await guardedAdmin(product)
  for (let count = 0; count < 120; count += 1) {
    const other = { address: '203.0.113.40' }
    const { email } = count % 20 === 0 ? await guardedAdmin(product) : admin
    const reply = await enter(product, email, undefined, other)
    if (reply.errorType === 'TOO_MANY_ATTEMPTS') product.clock.advance(waitOf(reply) * 1_000)
  }
  const { email } = await somebody(product, 1)
  expect((await enter(product, email, undefined, { address: '203.0.113.40' })).status).toBe(200)
})

test('a stolen session guesses neither password nor code of what is set up', async () => {
  const admin = await guardedAdmin(product)
  const guess = () => admin.call(removeSecondFactor, { password: samplePassword, code: wrong })
  for (let count = 0; count < 5; count += 1) expect((await guess()).errorType).toBe('WRONG_CODE')
  expect((await guess()).errorType).toBe('TOO_MANY_ATTEMPTS')

  const beginner = await somebody(product, 6)
  await beginner.call(startSecondFactor, { password: samplePassword })
  const confirm = () => beginner.call(confirmSecondFactor, { code: wrong })
  for (let count = 0; count < 5; count += 1) expect((await confirm()).errorType).toBe('WRONG_CODE')
  expect((await confirm()).errorType).toBe('TOO_MANY_ATTEMPTS')
})
