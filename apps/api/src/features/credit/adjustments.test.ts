import { randomUUID } from 'node:crypto'
import {
  adjustUserCredit,
  adjustUserDebt,
  adjustUserTunnelCredit,
  day,
  getAudit,
  getUserDetail,
  newAccount,
  setUserDebtLimit,
  setUserLevel,
  setUserPhone,
  setUserRate,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'

const product = productForAllTests()
let admin: Person
beforeAll(async () => {
  await product.server()
  admin = product.admin
})

const reason = 'bank transfer'
const under = (key: string) => ({ 'idempotency-key': key })
const auditOf = async ({ email: userEmail }: Person) =>
  (await admin.ask(getAudit, { userEmail })).items.map(({ auditDetail }) => auditDetail)

test('a key belongs to its sender, and a refused request leaves none behind', async () => {
  const [person, colleague] = [await product.person(), await product.person({ level: 6 })]
  const key = randomUUID()
  const give = (by: Person, amount: number) =>
    by.call(adjustUserCredit, { userEmail: person.email, amount, reason }, under(key))
  expect((await give(admin, -1)).errorType).toBe('INSUFFICIENT_CREDIT')
  expect((await give(admin, 10)).answer().userCredit).toBe(10)
  expect((await give(colleague, 7)).answer().userCredit).toBe(17)
})

test('an edit based on an outdated value changes nothing', async () => {
  const person = await product.person({ points: 10 })
  const { email: userEmail } = person
  const edits = [
    () => admin.call(adjustUserCredit, { userEmail, amount: 5, reason, basedOn: 11 }),
    () => admin.call(adjustUserTunnelCredit, { userEmail, amount: 5, reason, basedOn: 1 }),
    () => admin.call(adjustUserDebt, { userEmail, amount: 5, reason, basedOn: 0.01 }),
    () => admin.call(setUserRate, { userEmail, userCustomCreditRate: 120, basedOn: 100 }),
    () => admin.call(setUserDebtLimit, { userEmail, value: 5, basedOn: 0.5 }),
    () => admin.call(setUserLevel, { userEmail, value: 6, basedOn: 2 }),
    () => admin.call(setUserPhone, { userEmail, userPhone: '09121230000', basedOn: '09120000000' }),
  ]
  const before = await admin.ask(getUserDetail, { userEmail })
  for (const edit of edits) expect((await edit()).errorType).toBe('CHANGED_MEANWHILE')
  expect(await admin.ask(getUserDetail, { userEmail })).toEqual(before)
  expect(await auditOf(person)).toEqual([])
})

test('an edit based on the current value is done, and the audit log has both values', async () => {
  const person = await product.person({ points: 10 })
  const { email: userEmail } = person
  const edits = [
    () => admin.call(adjustUserCredit, { userEmail, amount: -4, reason, basedOn: 10 }),
    () => admin.call(adjustUserTunnelCredit, { userEmail, amount: 5, reason, basedOn: 0 }),
    () => admin.call(adjustUserDebt, { userEmail, amount: 0.29, reason, basedOn: 0 }),
    () => admin.call(adjustUserDebt, { userEmail, amount: -0.28, reason, basedOn: 0.29 }),
    () => admin.call(setUserRate, { userEmail, userCustomCreditRate: 120, basedOn: null }),
    () => admin.call(setUserRate, { userEmail, userCustomCreditRate: null, basedOn: 120 }),
    () => admin.call(setUserDebtLimit, { userEmail, value: 5.5, basedOn: 0 }),
    () => admin.call(setUserPhone, { userEmail, userPhone: '09121230000', basedOn: null }),
    () => admin.call(setUserLevel, { userEmail, value: 2, basedOn: 1 }),
  ]
  for (const edit of edits) expect((await edit()).errorType).toBeUndefined()
  expect((await auditOf(person)).reverse()).toEqual([
    { from: 10, to: 6, amount: -4, reason },
    { from: 0, to: 5, amount: 5, reason },
    { from: 0, to: 0.29, amount: 0.29, reason },
    { from: 0.29, to: 0.01, amount: -0.28, reason },
    { from: null, to: 120 },
    { from: 120, to: null },
    { from: 0, to: 5.5 },
    { from: null, to: '09121230000' },
    { from: 1, to: 2 },
  ])
})

test('a debt is as old as the movement that made one of none, however it changes since', async () => {
  const person = await product.person({ debtLimit: 100 })
  const { email: userEmail } = person
  const debt = async (amount: number) => {
    const by = await product.again(admin)
    return (await by.ask(adjustUserDebt, { userEmail, amount, reason })).userDebtSince
  }
  expect((await admin.ask(getUserDetail, { userEmail })).userDebtSince).toBeNull()
  const bought = product.clock.now().toISOString()
  expect((await person.call(newAccount, { ...directAccount, accountDuration: 1 })).status).toBe(200)
  product.clock.advance(3 * day)
  expect(await debt(2)).toBe(bought)
  expect(await debt(-2)).toBe(bought)
  expect(await debt(-0.1)).toBeNull()
  expect(await debt(1)).toBe(product.clock.now().toISOString())
})
