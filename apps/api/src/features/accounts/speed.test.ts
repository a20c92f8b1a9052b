import {
  getAccount,
  getAudit,
  getUserCredit,
  newAccount,
  setAnyAccountSpeed,
  setSpeed,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'

const product = productForAllTests()
beforeAll(() => product.server())

const buy = async () => {
  const owner = await product.person({ points: 100_000 })
  const account = await owner.ask(newAccount, directAccount)
  return { owner, account, accountUUID: account.accountUUID }
}

test('an owner sets and removes the speed limit of an own account, which costs nothing', async () => {
  const { owner, account, accountUUID } = await buy()
  expect(account.accountSpeedLimit).toBeNull()
  const credit = async () => (await owner.ask(getUserCredit, {})).userCredit
  const before = await credit()
  const limited = await owner.ask(setSpeed, { accountUUID, accountSpeedLimit: 20 })
  expect(limited).toMatchObject({ accountSpeedLimit: 20, accountQRString: account.accountQRString })
  expect((await owner.ask(getAccount, { accountUUID })).accountSpeedLimit).toBe(20)
  expect((await owner.ask(setSpeed, { accountUUID, accountSpeedLimit: null })).accountSpeedLimit).toBeNull()
  expect(await credit()).toBe(before)
})

test("nobody limits another's account, and a limit is a whole number of Mbit/s", async () => {
  const { owner, accountUUID } = await buy()
  const stranger = await product.person({})
  const set = async (person: typeof owner, accountSpeedLimit: unknown) =>
    (await person.call(setSpeed, { accountUUID, accountSpeedLimit } as never)).errorType
  expect(await set(stranger, 5)).toBe('RESOURCE_NOT_FOUND')
  for (const value of [0, 10_001, 1.5, '20', undefined])
    expect(await set(owner, value)).toBe('INCOMPLETE_INFORMATION')
  expect((await product.row('accounts', accountUUID)).speed_limit).toBeNull()
})

test('an administrator limits any account, sees what somebody else changed, and the audit log has it', async () => {
  const { owner, account, accountUUID } = await buy()
  const set = (accountSpeedLimit: number | null, basedOn: number | null) =>
    product.admin.call(setAnyAccountSpeed, { accountUUID, accountSpeedLimit, basedOn })
  expect((await set(50, null)).answer()).toMatchObject({ accountSpeedLimit: 50, userEmail: owner.email })
  expect((await set(10, null)).errorType).toBe('CHANGED_MEANWHILE')
  expect((await owner.ask(getAccount, { accountUUID })).accountSpeedLimit).toBe(50)
  expect((await set(null, 50)).answer()).toMatchObject({ accountSpeedLimit: null })
  const { items } = await product.admin.ask(getAudit, { limit: 2 })
  expect(items.map(({ auditAction, auditDetail }) => [auditAction, auditDetail])).toMatchObject([
    ['setaccountspeed', { from: 50, to: null, account: account.accountName }],
    ['setaccountspeed', { from: null, to: 50 }],
  ])
})
