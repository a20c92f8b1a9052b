import {
  addData,
  day,
  defaultSettings,
  extendBulk,
  extendDuration,
  getAccount,
  getStatement,
  getUserAccounts,
  getUserCredit,
  gigabyte,
  newAccount,
  quoteAccount,
  quoteBulk,
  quoteData,
  resetData,
} from '@kelid/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectSoundBooks } from '../../../test/faults/races.ts'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'

const product = productForAllTests()
const prices = {
  pointsPerDay: { ...defaultSettings.pointsPerDay, 'hysteria2-direct': 10 },
  pointsPerGB: { ...defaultSettings.pointsPerGB, 'hysteria2-direct': 3 },
  pointsPerDayOfDevice: 2,
}
let person: Person
beforeAll(async () => {
  await product.server()
})
beforeEach(async () => {
  await product.settings({ ...defaultSettings, ...prices })
  person = await product.person({ points: 1_000_000 })
})
afterAll(() => expectSoundBooks(product.ctx.db))

const { accountVPNType, accountTunnelType } = directAccount
const points = async () => (await person.ask(getUserCredit, {})).userCredit
const inDays = (days: number) => new Date(product.clock.now().getTime() + days * day).toISOString()
const buy = (wanted: Partial<Parameters<typeof person.ask<typeof newAccount>>[1]> = {}) =>
  person.ask(newAccount, { ...directAccount, accountDuration: 30, ...wanted })
const read = (accountUUID: string) => person.ask(getAccount, { accountUUID })
const setUsed = async (accountUUID: string, bytes: number) => {
  await product.sql('UPDATE data_limits SET used = $2 WHERE account_uuid = $1', accountUUID, bytes)
  await product.sql(
    'UPDATE accounts SET exhausted = (SELECT used >= bytes FROM data_limits WHERE account_uuid = uuid) WHERE uuid = $1',
    accountUUID,
  )
}

/** Sessions end meanwhile. */
async function wait(days: number) {
  product.clock.advance(days * day)
  person = await product.again(person)
}

/** Charges exactly what was quoted, and the account becomes what was quoted. */
async function buyAsQuoted(wanted: Parameters<typeof buy>[0]) {
  const { accountDuration = 30, accountName: _, accountTunnelEnabled: __, ...rest } = wanted ?? {}
  const quote = await person.ask(quoteAccount, {
    accountVPNType,
    accountTunnelType,
    accountDuration,
    ...rest,
  })
  const before = await points()
  const account = await buy({ ...wanted, quotedPoints: quote.quotePoints })
  expect(before - (await points())).toBe(quote.quotePoints)
  expect(account).toMatchObject({
    accountExpireDate: quote.accountExpireDate,
    accountDuration: quote.accountDurationAfter,
    accountDataLimit: quote.accountDataLimitAfter,
    accountStartBy: quote.accountStartBy,
  })
  return { account, quote }
}

test('a body of spec.md buys an account without a limit, as before', async () => {
  const { account, quote } = await buyAsQuoted({})
  expect(quote.quotePoints).toBe(300)
  expect(account).toMatchObject({
    accountDataLimit: null,
    accountDataUsed: 0,
    accountDataReset: 'none',
    accountStart: 'now',
    accountStartBy: null,
    accountMaxDevices: null,
  })
})

test('GB, devices above the default, and days are charged together', async () => {
  const { account, quote } = await buyAsQuoted({ accountDataLimit: 50, accountMaxDevices: 5 })
  expect(quote.quotePoints).toBe(30 * 10 + 50 * 3 + 30 * 3 * 2)
  expect(account).toMatchObject({ accountDataLimit: 50, accountDataUsed: 0, accountMaxDevices: 5 })
  const [entry] = (await person.ask(getStatement, {})).items
  expect(entry).toMatchObject({ entryDays: 30, entryGigabytes: 50, entryDevices: 3, entryAmount: -630 })
  const renewal = await person.ask(quoteAccount, {
    ...{ accountVPNType, accountTunnelType, accountUUID: account.accountUUID },
    ...{ accountDuration: 10, accountDataLimit: 20 },
  })
  expect(renewal).toMatchObject({ quotePoints: 10 * 10 + 20 * 3 + 10 * 3 * 2, accountDataLimitAfter: 70 })
})

test('fewer devices than the default cost nothing more', async () => {
  const { quote } = await buyAsQuoted({ accountMaxDevices: 1 })
  expect(quote.quotePoints).toBe(300)
})

test('where accounts without a limit are not sold, a limit is required', async () => {
  const { accountUUID } = await buy()
  await product.settings({ ...prices, unlimitedAccounts: false })
  expect(await person.refusal(newAccount, directAccount)).toBe('DATA_LIMIT_REQUIRED')
  const question = { accountVPNType, accountTunnelType, accountDuration: 30 }
  expect((await person.ask(quoteAccount, question)).quoteRefusal).toBe('DATA_LIMIT_REQUIRED')
  await buyAsQuoted({ accountDataLimit: 1 })
  await person.ask(extendDuration, { accountUUID, accountDuration: 5 })
})

test('an account whose data is used up is limited, and goes on with more data', async () => {
  const { accountUUID } = await buy({ accountDataLimit: 2 })
  await setUsed(accountUUID, 2 * gigabyte + 5)
  expect(await read(accountUUID)).toMatchObject({
    accountState: 'limited',
    accountDataUsed: 2 * gigabyte + 5,
  })
  const states = async (state: 'limited' | 'active') =>
    (await person.ask(getUserAccounts, { state, limit: 10 })).items.map((one) => one.accountUUID)
  expect([await states('limited'), await states('active')]).toEqual([[accountUUID], []])

  const quote = await person.ask(quoteData, { accountUUID, accountDataLimit: 3 })
  expect(quote).toMatchObject({
    quotePoints: 9,
    accountDataLimitAfter: 5,
    accountDataLeftAfter: 3 * gigabyte - 5,
  })
  const before = await points()
  const account = await person.ask(addData, {
    accountUUID,
    accountDataLimit: 3,
    quotedPoints: quote.quotePoints,
  })
  expect(account).toMatchObject({ accountState: 'active', accountDataLimit: 5 })
  expect(before - (await points())).toBe(9)
  const [entry] = (await person.ask(getStatement, {})).items
  expect(entry).toMatchObject({ entryMovement: 'data', entryGigabytes: 3, entryDays: 0, entryAmount: -9 })
})

test('data is added once under one key, at the quoted price or not at all', async () => {
  const { accountUUID } = await buy({ accountDataLimit: 2 })
  const key = { 'Idempotency-Key': 'one-purchase-of-data' }
  const body = { accountUUID, accountDataLimit: 3, quotedPoints: 9 }
  const before = await points()
  const first = await person.ask(addData, body, key)
  const again = await person.ask(addData, body, key)
  expect([first.accountDataLimit, again.accountDataLimit, before - (await points())]).toEqual([5, 5, 9])
  await product.settings({ ...prices, pointsPerGB: { ...prices.pointsPerGB, 'hysteria2-direct': 4 } })
  expect(await person.refusal(addData, body)).toBe('QUOTE_CHANGED')
  expect((await read(accountUUID)).accountDataLimit).toBe(5)
})

test('data is not added to strangers, to accounts without a limit, beyond the largest limit, or on credit', async () => {
  const { accountUUID } = await buy({ accountDataLimit: 99_999 })
  const poor = await product.person({ points: 303 })
  expect(await poor.refusal(addData, { accountUUID, accountDataLimit: 1 })).toBe('RESOURCE_NOT_FOUND')
  const own = await poor.ask(newAccount, { ...directAccount, accountDuration: 30, accountDataLimit: 1 })
  const more = { accountUUID: own.accountUUID, accountDataLimit: 1 }
  expect(await poor.refusal(addData, more)).toBe('INSUFFICIENT_CREDIT')
  expect(await person.refusal(addData, { accountUUID, accountDataLimit: 2 })).toBe('DATA_LIMIT_TOO_LARGE')
  const unlimited = (await buy()).accountUUID
  expect(await person.refusal(addData, { accountUUID: unlimited, accountDataLimit: 1 })).toBe('NO_DATA_LIMIT')
  expect(await person.refusal(quoteData, { accountUUID: unlimited, accountDataLimit: 1 })).toBe(
    'NO_DATA_LIMIT',
  )
  const renewal = { accountUUID: unlimited, accountDuration: 1, accountDataLimit: 1 }
  expect(await person.refusal(extendDuration, renewal)).toBe('NO_DATA_LIMIT')
  expect((await read(unlimited)).accountDuration).toBe(30)
})

test('a monthly account pays each period once, and gets its data anew at its end', async () => {
  const wanted = { accountDataLimit: 10, accountDataReset: 'monthly' } as const
  const { account, quote } = await buyAsQuoted({ ...wanted, accountDuration: 31 })
  expect(quote.quotePoints).toBe(31 * 10 + 2 * 10 * 3)
  expect(account.accountDataResetDate).toBe(inDays(30))
  const { accountUUID } = account
  // 29 days more end with the second period, so its data is paid already.
  const within = { accountVPNType, accountTunnelType, accountUUID, accountDuration: 29 }
  expect((await person.ask(quoteAccount, within)).quotePoints).toBe(29 * 10)
  expect((await person.ask(quoteAccount, { ...within, accountDuration: 30 })).quotePoints).toBe(30 * 10 + 30)

  await person.ask(addData, { accountUUID, accountDataLimit: 5 })
  await setUsed(accountUUID, 15 * gigabyte)
  expect((await read(accountUUID)).accountState).toBe('limited')
  await wait(30)
  await product.job('data')
  expect(await read(accountUUID)).toMatchObject({
    ...{ accountState: 'active', accountDataLimit: 10, accountDataUsed: 0, accountDataResetDate: null },
  })
  await setUsed(accountUUID, gigabyte)
  await product.job('data')
  expect((await read(accountUUID)).accountDataUsed).toBe(gigabyte)
})

test('a monthly account that is renewed after its end begins a period of its own', async () => {
  const wanted = { accountDataLimit: 10, accountDataReset: 'monthly', accountDuration: 30 } as const
  const { accountUUID } = await buy(wanted)
  await setUsed(accountUUID, 10 * gigabyte)
  await wait(45)
  await product.job('data')
  expect(await read(accountUUID)).toMatchObject({ accountState: 'expired', accountDataUsed: 10 * gigabyte })
  const before = await points()
  const renewed = await person.ask(extendDuration, { accountUUID, accountDuration: 40 })
  expect(before - (await points())).toBe(40 * 10 + 2 * 10 * 3)
  expect(renewed).toMatchObject({
    accountState: 'active',
    accountDataUsed: 0,
    accountDataResetDate: inDays(30),
  })
})

test('days that begin at first use wait, and a renewal adds to them', async () => {
  const { account } = await buyAsQuoted({ accountStart: 'firstUse' })
  expect(account).toMatchObject({
    ...{ accountStart: 'firstUse', accountDuration: 30, accountFirstUseDate: null },
    ...{ accountStartBy: inDays(90), accountExpireDate: inDays(120) },
  })
  await wait(10)
  const { accountUUID } = account
  const renewed = await person.ask(extendDuration, { accountUUID, accountDuration: 5 })
  expect(renewed).toMatchObject({
    accountStart: 'firstUse',
    accountDuration: 35,
    accountExpireDate: inDays(115),
  })
  await product.settings({ ...prices, renewal: 'replace' })
  const question = { accountVPNType, accountTunnelType, accountUUID }
  expect(await person.ask(quoteAccount, { ...question, accountDuration: 40 })).toMatchObject({
    ...{ quotePoints: 50, quoteDaysLost: 0, accountDurationAfter: 40 },
  })
  expect(await person.ask(quoteAccount, { ...question, accountDuration: 20 })).toMatchObject({
    ...{ quotePoints: 0, quoteDaysLost: 15, accountDurationAfter: 20 },
  })
})

test('days that nobody began begin by themselves after the longest wait', async () => {
  const { accountUUID } = await buy({ accountStart: 'firstUse' })
  await wait(100)
  expect(await read(accountUUID)).toMatchObject({
    accountStart: 'now',
    accountStartBy: null,
    accountDuration: 20,
  })
  await wait(25)
  expect((await read(accountUUID)).accountState).toBe('expired')
  const renewed = await person.ask(extendDuration, { accountUUID, accountDuration: 30 })
  expect(renewed).toMatchObject({ accountStart: 'now', accountExpireDate: inDays(30) })
})

test('a bulk renewal adds data to those that have a limit, and charges what was quoted', async () => {
  const limited = (await buy({ accountDataLimit: 5 })).accountUUID
  const monthly = (await buy({ accountDataLimit: 5, accountDataReset: 'monthly' })).accountUUID
  const unlimited = (await buy()).accountUUID
  const accountUUIDs = [limited, monthly, unlimited]
  const ask = { accountUUIDs, accountDuration: 30, accountDataLimit: 4 }
  const quote = await person.ask(quoteBulk, ask)
  expect(quote.accounts.map((one) => one.quotePoints)).toEqual([300 + 12, 300 + 12 + 15, 300])
  const before = await points()
  await person.ask(extendBulk, { ...ask, quotedPoints: quote.quotePoints })
  expect(before - (await points())).toBe(quote.quotePoints)
  const limits = await Promise.all(accountUUIDs.map(async (uuid) => (await read(uuid)).accountDataLimit))
  expect(limits).toEqual([9, 9, null])
})

test('an administrator resets the used data with a reason', async () => {
  const { accountUUID } = await buy({ accountDataLimit: 2 })
  await setUsed(accountUUID, 2 * gigabyte)
  const reason = 'the app looped over a broken update'
  expect(await person.refusal(resetData, { accountUUID, reason })).toBe('ACCESS_DENIED')
  const account = await (await product.again(product.admin)).ask(resetData, { accountUUID, reason })
  expect(account).toMatchObject({ accountState: 'active', accountDataUsed: 0, accountDataLimit: 2 })
  expect(await product.lastAudit()).toMatchObject({
    auditAction: 'resetdata',
    auditDetail: { from: 2 * gigabyte, to: 0, reason },
  })
  const unlimited = (await buy()).accountUUID
  expect(
    await (await product.again(product.admin)).refusal(resetData, { accountUUID: unlimited, reason }),
  ).toBe('NO_DATA_LIMIT')
})

test('a limit that is monthly needs GB', async () => {
  const body = { ...directAccount, accountDataReset: 'monthly' } as const
  expect(await person.refusal(newAccount, body)).toBe('INCOMPLETE_INFORMATION')
})
