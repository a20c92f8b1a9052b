import {
  type Account,
  compensate,
  day,
  defaultSettings,
  extendBulk,
  extendDuration,
  getAnyAccounts,
  getUserAccounts,
  getUserStatement,
  giftDays,
  limits,
  newAccount,
  quoteAccount,
  quoteBulk,
  quoteCompensation,
  setEnabled,
} from '@kelid/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { everyPage } from '../../../test/calls.ts'
import { query } from '../../../test/database.ts'
import { openProduct, type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'
import { giveCompensation } from '../compensations/compensate.job.ts'
import { standAlone } from '../hosts/hosts.fixture.ts'

const product = productForAllTests()
let serverUUID: string
let person: Person
beforeEach(async () => {
  serverUUID = await product.server()
  await standAlone(product, 'servers', serverUUID)
  person = await product.person({ points: 1_000_000 })
})
afterEach(() => product.settings(defaultSettings))

const choice = { accountVPNType: 'hysteria2-direct', accountTunnelType: '' } as const
const inDays = (days: number) => new Date(product.clock.now().getTime() + days * day)

async function buy(accountName: string, expires?: Date): Promise<Account> {
  const account = await person.ask(newAccount, { ...directAccount, accountName })
  if (expires) await product.setRow('accounts', account.accountUUID, { expires_at: expires })
  return account
}

const expiryOf = async ({ accountUUID }: Account) => (await product.row('accounts', accountUUID)).expires_at

test('free renewals end ten years ahead, in the quote and in the charge', async () => {
  await product.settings({
    pointsPerDay: { ...defaultSettings.pointsPerDay, trojan: 0, 'hysteria2-direct': 0 },
  })
  const account = await buy('free')
  const { accountUUID } = account
  const renewal = { accountUUID, accountDuration: limits.daysMax }
  let refusal: string | undefined
  for (let count = 0; count < 15 && !refusal; count += 1)
    refusal = await person.refusal(extendDuration, renewal)
  expect(refusal).toBe('EXPIRY_TOO_FAR')
  const before = await expiryOf(account)
  expect(before.getTime()).toBeLessThanOrEqual(inDays(limits.expiryDaysMax).getTime())

  const asked = { ...choice, accountUUID, accountDuration: limits.daysMax }
  expect((await person.ask(quoteAccount, asked)).quoteRefusal).toBe('EXPIRY_TOO_FAR')
  const many = { accountUUIDs: [accountUUID], accountDuration: limits.daysMax }
  const quoted = await person.ask(quoteBulk, many)
  expect(quoted).toMatchObject({ quotePoints: 0, accounts: [{ accountRefusal: 'EXPIRY_TOO_FAR' }] })
  const renewed = await person.ask(extendBulk, many)
  expect(renewed.accounts).toMatchObject([{ accountRefusal: 'EXPIRY_TOO_FAR', accountExpireDate: null }])
  expect(await expiryOf(account)).toEqual(before)
})

test('a renewal to exactly ten years ahead passes, and one day more charges nothing', async () => {
  const account = await buy('edge', inDays(limits.expiryDaysMax - 10))
  const { accountUUID } = account
  expect(await person.refusal(extendDuration, { accountUUID, accountDuration: 11 })).toBe('EXPIRY_TOO_FAR')
  expect((await person.call(extendDuration, { accountUUID, accountDuration: 10 })).status).toBe(200)
  expect(await expiryOf(account)).toEqual(inDays(limits.expiryDaysMax))
  const { items } = await product.admin.ask(getUserStatement, { userEmail: person.email })
  expect(items.filter(({ entryMovement }) => entryMovement === 'renew')).toHaveLength(1)
})

test('an administrator gives no days past the limit, and a compensation leaves out accounts at the limit', async () => {
  const [far, near] = [await buy('far', inDays(limits.expiryDaysMax - 3)), await buy('near')]
  const gift = { accountUUID: far.accountUUID, accountDuration: 5, reason: 'sorry' }
  expect(await product.admin.refusal(giftDays, gift)).toBe('EXPIRY_TOO_FAR')
  const outage = { serverUUID, days: 5 }
  const quoted = await product.admin.ask(quoteCompensation, outage)
  expect(quoted.accounts).toBe(1)
  const compensation = { ...outage, accounts: 1, reason: 'down for a night' }
  const { compensationUUID } = await product.admin.ask(compensate, compensation)
  await giveCompensation(product.ctx, compensationUUID)
  expect(await expiryOf(far)).toEqual(inDays(limits.expiryDaysMax - 3))
  expect(await expiryOf(near)).toEqual(inDays(directAccount.accountDuration + 5))
})

test('an account that reaches the limit between the count and the gift is skipped', async () => {
  const account = await buy('moved')
  const compensation = { serverUUID, days: 5, accounts: 1, reason: 'down for a night' }
  const { compensationUUID } = await product.admin.ask(compensate, compensation)
  await product.setRow('accounts', account.accountUUID, { expires_at: inDays(limits.expiryDaysMax) })
  await giveCompensation(product.ctx, compensationUUID)
  expect(await expiryOf(account)).toEqual(inDays(limits.expiryDaysMax))
})

test('accounts past the limit are listed, switched and replaced like others', async () => {
  const account = await buy('old', new Date('9998-12-31T23:59:59Z'))
  for (const name of ['a', 'b', 'c']) await buy(name)
  for (const sort of ['accountExpireDate', '-accountExpireDate'] as const) {
    const paged = await everyPage((from) => person.ask(getUserAccounts, { sort, limit: 1, ...from }))
    expect(paged.map(({ accountName }) => accountName).sort()).toEqual(['a', 'b', 'c', 'old'])
  }
  await product.admin.ask(getAnyAccounts, { sort: '-accountExpireDate', limit: 1 })
  const { accountUUID } = account
  expect((await person.call(setEnabled, { accountUUID, accountEnabled: false })).status).toBe(200)
  const asked = { ...choice, accountUUID, accountDuration: 30 }
  expect((await person.ask(quoteAccount, asked)).quoteRefusal).toBe('EXPIRY_TOO_FAR')
  await product.settings({ renewal: 'replace' })
  expect((await person.call(extendDuration, { accountUUID, accountDuration: 30 })).status).toBe(200)
  expect(await expiryOf(account)).toEqual(inDays(30))
})

test('the database itself refuses an expiry in the year 9999 or later', async () => {
  await expect(buy('never', new Date('9999-01-01T00:00:00Z'))).rejects.toThrow(/accounts_expiry_in_range/)
})

test('rows of an earlier release past that year are brought below it by the next start', async () => {
  const account = await buy('older')
  await query(
    product.database.connection,
    `ALTER TABLE accounts DROP CONSTRAINT accounts_expiry_in_range;
     DELETE FROM schema_migrations WHERE version = 21;
     UPDATE accounts SET expires_at = '12000-01-01Z'`,
  )
  const next = await openProduct({ database: product.database, clock: product.clock })
  await next.close()
  expect(await expiryOf(account)).toEqual(new Date('9998-12-31T00:00:00Z'))
})
