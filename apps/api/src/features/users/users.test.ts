import { getUser, getUsers, setUserLevel, setUserPhone } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product } from '../../../test/product.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

test('users page by page in every order, found by any part of their e-mail', async () => {
  for (const points of [5, 50, 500]) await product.person({ points })
  for (const sort of ['userEmail', '-userCredit', '-userDebt', '-userCreatedDate'] as const) {
    const whole = (await product.admin.call(getUsers, { sort, limit: 200 })).answer()
    const seen: string[] = []
    let cursor: string | null | undefined
    do {
      const page = (
        await product.admin.call(getUsers, { sort, limit: 2, ...(cursor && { cursor }) })
      ).answer()
      seen.push(...page.items.map((user) => user.userEmail))
      cursor = page.nextCursor
    } while (cursor)
    expect(seen).toEqual(whole.items.map((user) => user.userEmail))
    expect(whole.total).toBe(seen.length)
  }
  const part = product.admin.email.slice(3, 9).toUpperCase()
  const found = (await product.admin.call(getUsers, { search: part })).answer()
  expect(found.items.map((user) => user.userEmail)).toEqual([product.admin.email])
  expect((await product.admin.call(getUsers, { search: '%' })).answer().items).toEqual([])
})

test('the last administrator stays one; a new level ends the sessions of its user', async () => {
  const other = await product.person({ level: 1 })
  const level = (userEmail: string, value: number) => product.admin.call(setUserLevel, { userEmail, value })
  await level('first@kelid.lan', 1)
  expect((await level(product.admin.email, 5)).errorType).toBe('LAST_ADMIN')
  expect((await level(other.email, 6)).answer().userLevel).toBe(6)
  expect((await other.call(getUser, {})).status).toBe(401)
  const again = await product.again(other)
  expect((await again.call(getUsers, {})).status).toBe(200)
  expect((await level(other.email, 5)).status).toBe(200)
})

test('a phone belongs to one user', async () => {
  const [a, b] = [await product.person(), await product.person()]
  const phone = (userEmail: string, userPhone: string | null) =>
    product.admin.call(setUserPhone, { userEmail, userPhone })
  expect((await phone(a.email, '09121234567')).answer().userPhone).toBe('09121234567')
  expect((await phone(b.email, '09121234567')).errorType).toBe('PHONE_TAKEN')
  expect((await phone(a.email, null)).answer().userPhone).toBeNull()
})
