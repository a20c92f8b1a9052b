import { randomUUID } from 'node:crypto'
import { adjustUserCredit, getUserStatement, settleKey } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { type Person, productForAllTests } from '../../../test/product.ts'

const product = productForAllTests()
let admin: Person
beforeAll(async () => {
  admin = product.admin
})

const give = (person: Person, key: string, by = admin) =>
  by.call(
    adjustUserCredit,
    { userEmail: person.email, amount: 25, reason: 'bank transfer' },
    { 'idempotency-key': key },
  )
const settle = async (idempotencyKey: string, by = admin) =>
  (await by.ask(settleKey, { idempotencyKey })).isDone
const giftsTo = async ({ email: userEmail }: Person) =>
  (await admin.ask(getUserStatement, { userEmail })).items.length

test('a settled key of a done request says so, and the request is still answered alike', async () => {
  const [person, key] = [await product.person(), randomUUID()]
  const first = await give(person, key)
  expect(await settle(key)).toBe(true)
  expect(await settle(key)).toBe(true)
  expect((await give(person, key)).answer()).toEqual(first.answer())
  expect(await giftsTo(person)).toBe(1)
})

test('a request that is settled as not done is not done later', async () => {
  const [person, key] = [await product.person(), randomUUID()]
  expect(await settle(key)).toBe(false)
  expect((await give(person, key)).errorType).toBe('KEY_REUSED')
  expect(await settle(key)).toBe(false)
  expect(await giftsTo(person)).toBe(0)
  expect((await give(person, randomUUID())).answer().userCredit).toBe(25)
})

test('a user cannot settle the key of another', async () => {
  const [person, key] = [await product.person(), randomUUID()]
  const colleague = await product.person({ level: 6 })
  expect(await settle(key, colleague)).toBe(false)
  await give(person, key)
  expect(await settle(key)).toBe(true)
  expect(await settle(key, colleague)).toBe(false)
})

test('settling a key during its request returns the outcome', async () => {
  for (let round = 0; round < 20; round++) {
    const [person, key] = [await product.person(), randomUUID()]
    const isBefore = round % 2 === 0
    const gift = isBefore ? give(person, key) : undefined
    const isDone = settle(key)
    await Promise.all([gift ?? give(person, key), isDone])
    expect(await giftsTo(person)).toBe((await isDone) ? 1 : 0)
  }
})
