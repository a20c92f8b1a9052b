import {
  adjustUserDebt,
  getUserDetail,
  getUsers,
  setUserPhone,
  setUserRate,
  userSorts,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { type Body, everyPage } from '../../../test/calls.ts'
import { productForAllTests } from '../../../test/product.ts'

const product = productForAllTests()

test('users are listed page by page in every order and found by any part of their e-mail', async () => {
  for (const points of [5, 50, 500]) await product.person({ points })
  for (const amount of [3, 1, 2]) {
    const { email: userEmail } = await product.person({ tunnelCredit: amount })
    const body = { userEmail, amount, reason: 'to be sorted by' }
    await product.admin.ask(adjustUserDebt, body)
    product.clock.advance(1_000)
  }
  for (const sort of userSorts) {
    const whole = await product.admin.ask(getUsers, { sort, limit: 200 })
    const paged = await everyPage((from) => product.admin.ask(getUsers, { sort, limit: 2, ...from }))
    expect(paged).toEqual(whole.items)
    expect(whole.total).toBe(paged.length)
  }
  const part = product.admin.email.slice(3, 9).toUpperCase()
  const byPart = await product.admin.ask(getUsers, { search: part })
  expect(byPart.items.map((user) => user.userEmail)).toEqual([product.admin.email])
  expect((await product.admin.ask(getUsers, { search: '%' })).items).toEqual([])
})

const emails = async (query: Body<typeof getUsers>) =>
  (await product.admin.ask(getUsers, query)).items.map(({ userEmail }) => userEmail)

test('the oldest debt comes first, and users without debt last', async () => {
  const { items } = await product.admin.ask(getUsers, { sort: 'userDebtSince', limit: 200 })
  const since = items.map(({ userDebtSince }) => userDebtSince)
  const debts = since.filter((date) => date !== null)
  expect(debts.length).toBeGreaterThan(2)
  expect(since).toEqual([...debts.sort(), ...since.filter((date) => date === null)])
})

test('users are found by a part of their phone, in either digits, and narrowed to some', async () => {
  const [person, other] = [await product.person(), await product.person()]
  const { email: userEmail } = person
  await product.admin.ask(setUserPhone, { userEmail, userPhone: '+989351112233' })
  for (const search of ['935111', '+98935', '0098 935 111', '\u06f9\u06f3\u06f5\u06f1\u06f1\u06f1'])
    expect(await emails({ search })).toEqual([userEmail])
  await product.admin.ask(setUserRate, { userEmail, userCustomCreditRate: 90 })
  expect(await emails({ filter: 'customRate' })).toEqual([userEmail])
  expect(await emails({ filter: 'customRate', search: other.email.slice(0, 9) })).toEqual([])
  expect(await emails({ filter: 'admins' })).toContain(product.admin.email)
  expect(await emails({ filter: 'admins' })).not.toContain(userEmail)
  expect(await emails({ filter: 'suspended' })).toEqual([])
  const debtors = await product.admin.ask(getUsers, { filter: 'debtors', limit: 1 })
  expect(debtors).toMatchObject({ total: 3, items: [{ userDebt: expect.any(Number) }] })
})

test('the detail of a user has the accounts by state and the last visit', async () => {
  const person = await product.person()
  const detail = await product.admin.ask(getUserDetail, { userEmail: person.email })
  expect(detail).toMatchObject({
    userEmail: person.email,
    userSuspended: false,
    userSuspendedDate: null,
    userSuspendedReason: '',
    userAccountsClosed: false,
    userDebtSince: null,
    userLastSeenDate: product.clock.now().toISOString(),
    accounts: 0,
    accountsByState: { active: 0, expiring: 0, expired: 0, disabled: 0, abused: 0 },
  })
})

test('a phone belongs to one user', async () => {
  const [a, b] = [await product.person(), await product.person()]
  const phone = (userEmail: string, userPhone: string | null) =>
    product.admin.call(setUserPhone, { userEmail, userPhone })
  expect((await phone(a.email, '09121234567')).answer().userPhone).toBe('09121234567')
  for (const spelling of ['09121234567', '+989121234567', '00989121234567', '989121234567'])
    expect((await phone(b.email, spelling)).errorType, spelling).toBe('PHONE_TAKEN')
  expect((await phone(b.email, '004915112345678')).answer().userPhone).toBe('+4915112345678')
  expect((await phone(a.email, null)).answer().userPhone).toBeNull()
})
