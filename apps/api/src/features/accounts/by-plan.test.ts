import { randomUUID } from 'node:crypto'
import {
  addPlan,
  changePlan,
  day,
  defaultSettings,
  deletePlan,
  extendBulk,
  extendDuration,
  getAccount,
  getAnyAccount,
  getPlans,
  getStatement,
  getStatementFile,
  getUserCredit,
  getUserDebt,
  gigabyte,
  newAccount,
  newByPlan,
  quoteAccount,
  quoteBulk,
  quoteByPlan,
  renewByPlan,
  setAnyAccountMaxDevices,
  setPlanActive,
} from '@kelid/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Body } from '../../../test/calls.ts'
import { expectSoundBooks } from '../../../test/faults/races.ts'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount, sampleOf, samplePlan, trojanServer } from '../../../test/sample-hosts.ts'

const product = productForAllTests()
let person: Person
const prices = {
  pointsPerDay: { ...defaultSettings.pointsPerDay, 'hysteria2-direct': 10, trojan: 10 },
  pointsPerGB: { ...defaultSettings.pointsPerGB, 'hysteria2-direct': 3 },
  pointsPerDayOfDevice: 2,
}
beforeAll(async () => {
  await product.server({ serverMaxAccounts: 1_000 })
  await product.server({ serverMaxAccounts: 100, countryId: 250 })
  await product.server({ ...trojanServer(), serverMaxAccounts: 1_000 })
  await product.tunnel({ tunnelMaxAccounts: 1_000 })
  await product.server({
    ...sampleOf('vless-reality').server,
    ...{ serverTunnelActive: false, serverTunnelType: '', serverMaxAccounts: 100 },
  })
})
beforeEach(async () => {
  await product.settings({ ...defaultSettings, ...prices })
  await product.sql('DELETE FROM plans')
  person = await product.person({ points: 10_000, tunnelCredit: 500 })
})
afterAll(() => expectSoundBooks(product.ctx.db))

type PlanChange = Partial<Body<typeof addPlan>>
const addOne = (change: PlanChange = {}) =>
  product.admin.ask(addPlan, { ...samplePlan, planUUID: randomUUID(), planActive: true, ...change })
const change = ({ planUUID }: { planUUID: string }, to: PlanChange) =>
  product.admin.ask(changePlan, { ...samplePlan, ...to, planUUID })
const buy = (planUUID: string, more: Partial<Body<typeof newByPlan>> = {}) =>
  person.ask(newByPlan, { accountName: 'ali', planUUID, ...more })
const custom = (more: Partial<Body<typeof newAccount>> = {}) =>
  person.ask(newAccount, { ...directAccount, accountDuration: 30, ...more })
const points = async () => (await person.ask(getUserCredit, {})).userCredit
const inDays = (days: number) => new Date(product.clock.now().getTime() + days * day).toISOString()
const fitting = async (accountUUID: string) =>
  (await person.ask(getPlans, { accountUUID })).plans.map(({ planUUID }) => planUUID)
const direct = samplePlan.planWays[0] as (typeof samplePlan.planWays)[number]
const trojanWay = { accountVPNType: 'trojan', accountTunnelType: 'wstunnel', countryId: 0 } as const

test('a plan buys what it says at its own price, as quoted', async () => {
  const { planUUID, planRevision } = await addOne({
    ...{ accountDuration: 60, accountDataLimit: 20, accountDataReset: 'monthly' },
    ...{ accountStart: 'firstUse', accountMaxDevices: 5, planPoints: 321 },
  })
  const quote = await person.ask(quoteByPlan, { planUUID })
  expect(quote).toMatchObject({
    ...{ quotePoints: 321, quoteTunnelCredit: 0, quoteDebt: 0, planRevision, quoteRefusal: null },
    ...{ accountDurationAfter: 60, accountDataLimitAfter: 20, userCreditAfter: 10_000 - 321 },
  })
  const account = await buy(planUUID, {
    quotedPoints: 321,
    quotedTunnelCredit: 0,
    quotedDebt: 0,
    quotedPlanRevision: planRevision,
  })
  expect(account).toMatchObject({
    ...{ accountVPNType: 'hysteria2-direct', accountDuration: 60, accountDataLimit: 20 },
    ...{ accountDataReset: 'monthly', accountStart: 'firstUse', accountMaxDevices: 5 },
    accountExpireDate: quote.accountExpireDate,
    accountStartBy: quote.accountStartBy,
    accountPlan: { planUUID, planName: 'One month' },
  })
  expect(await points()).toBe(10_000 - 321)
  const [entry] = (await person.ask(getStatement, { lng: 'fa' })).items
  expect(entry).toMatchObject({
    ...{ entryMovement: 'create', entryAmount: -321, entryPlan: samplePlan.planNames.fa },
    ...{ entryDays: 60, entryGigabytes: 40, entryDevices: 3, accountUUID: account.accountUUID },
  })
})

test('several ways of a plan are further ways of one account, at one price', async () => {
  const { planUUID } = await addOne({
    planWays: [
      trojanWay,
      { ...direct, countryId: 250 },
      { accountVPNType: 'vless-reality', accountTunnelType: '', countryId: 0 },
    ],
    ...{ planPoints: 50, planTunnelCredit: 7 },
  })
  const { accountWays = [], ...account } = await buy(planUUID)
  expect(account).toMatchObject({ accountVPNType: 'trojan', accountTunnelType: 'wstunnel' })
  expect(accountWays.map(({ accountVPNType }) => accountVPNType).sort()).toEqual(
    ['hysteria2-direct', 'trojan', 'vless-reality'].sort(),
  )
  expect(accountWays.find((way) => way.accountVPNType === 'hysteria2-direct')?.server.country).toMatchObject({
    countryName: 'France',
  })
  expect(await person.ask(getUserCredit, {})).toMatchObject({ userCredit: 9_950, userTunnelCredit: 493 })
  expect(await fitting(account.accountUUID)).toEqual([planUUID])
})

test('the reseller chooses the location where the plan leaves it open, and nowhere else', async () => {
  const open = await addOne()
  const german = await addOne({ planWays: [{ ...direct, countryId: 276 }] })
  const { server } = await buy(open.planUUID, { countryId: 250 })
  expect(server.country.countryName).toBe('France')
  expect((await buy(german.planUUID, { countryId: 250 })).server.country.countryName).toBe('Germany')
})

test('a plan that is gone, switched off or for others is refused, and nothing is charged', async () => {
  const { planUUID } = await addOne({ planForAll: false })
  const body = { accountName: 'ali', planUUID }
  expect(await person.refusal(newByPlan, body)).toBe('PLAN_NOT_SOLD')
  expect(await person.refusal(quoteByPlan, { planUUID })).toBe('PLAN_NOT_SOLD')
  await change({ planUUID }, { planForAll: false, planResellers: [person.email] })
  const { accountUUID } = await buy(planUUID)
  await product.admin.ask(setPlanActive, { planUUID, planActive: false })
  for (const planUUIDNow of [planUUID, randomUUID()]) {
    expect(await person.refusal(newByPlan, { ...body, planUUID: planUUIDNow })).toBe('PLAN_NOT_SOLD')
    expect(await person.refusal(renewByPlan, { accountUUID, planUUID: planUUIDNow })).toBe('PLAN_NOT_SOLD')
  }
  expect(await product.admin.refusal(newByPlan, body)).toBe('PLAN_NOT_SOLD')
  expect(await points()).toBe(10_000 - 120)
})

test('a plan that changed since the quote is refused, and a retry under the key is not', async () => {
  const { planUUID, planRevision } = await addOne()
  const key = { 'idempotency-key': randomUUID() }
  const body = { accountName: 'ali', planUUID, quotedPlanRevision: planRevision }
  const { accountUUID } = await person.ask(newByPlan, body, key)
  const { planRevision: next } = await change({ planUUID }, { accountDuration: 15 })
  expect(await person.refusal(newByPlan, body)).toBe('QUOTE_CHANGED')
  const renewal = { accountUUID, planUUID, quotedPlanRevision: planRevision }
  expect(await person.refusal(renewByPlan, renewal)).toBe('QUOTE_CHANGED')
  expect(await person.refusal(newByPlan, { ...body, quotedPlanRevision: next, quotedPoints: 121 })).toBe(
    'QUOTE_CHANGED',
  )
  expect((await person.ask(newByPlan, body, key)).accountUUID).toBe(accountUUID)
  expect((await person.ask(newByPlan, { ...body, quotedPlanRevision: next }, key)).accountUUID).toBe(
    accountUUID,
  )
  expect(await person.refusal(newByPlan, { ...body, accountName: 'other' }, key)).toBe('KEY_REUSED')
  expect(await points()).toBe(10_000 - 120)
})

test('what a plan costs beyond the points is lent as always, and refused beyond the limit', async () => {
  const { planUUID } = await addOne({ planPoints: 500, planTunnelCredit: 3 })
  person = await product.person({ points: 100, tunnelCredit: 3, debtLimit: 10 })
  const quote = await person.ask(quoteByPlan, { planUUID })
  expect(quote).toMatchObject({ quoteDebt: 4, quoteTunnelCredit: 3, userDebtAfter: 4 })
  await buy(planUUID, { quotedDebt: 4 })
  expect(await person.ask(getUserDebt, {})).toMatchObject({ userDebt: 4 })
  expect((await person.ask(quoteByPlan, { planUUID })).quoteRefusal).toBe('INSUFFICIENT_TUNNEL_CREDIT')
  expect(await person.refusal(newByPlan, { accountName: 'b', planUUID })).toBe('INSUFFICIENT_TUNNEL_CREDIT')
  await change({ planUUID }, { planPoints: 900 })
  expect(await person.refusal(newByPlan, { accountName: 'b', planUUID })).toBe('INSUFFICIENT_CREDIT')
  const entries = (await person.ask(getStatement, {})).items
  expect(entries.map(({ entryMovement, entryPlan }) => [entryMovement, entryPlan])).toEqual([
    ['create', 'One month'],
    ['create', 'One month'],
    ['debt', null],
    ['debt', null],
    ['adjustment', null],
    ['adjustment', null],
  ])
})

test('a renewal by plan adds its days and GB at its price, whatever the renewal rule', async () => {
  await product.settings({ ...defaultSettings, ...prices, renewal: 'replace' })
  const { planUUID, planRevision } = await addOne()
  const { accountUUID } = await buy(planUUID)
  await product.sql('UPDATE data_limits SET used = $2 WHERE account_uuid = $1', accountUUID, gigabyte)
  const quote = await person.ask(quoteByPlan, { accountUUID, planUUID })
  expect(quote).toMatchObject({
    ...{ quotePoints: 120, quoteRenewal: 'extend', quoteDaysLost: 0, accountDurationAfter: 60 },
    ...{ accountDataLimitAfter: 100, accountDataLeftAfter: 99 * gigabyte },
  })
  const renewal = { accountUUID, planUUID, quotedPoints: 120, quotedPlanRevision: planRevision }
  const key = { 'idempotency-key': randomUUID() }
  const renewed = await person.ask(renewByPlan, renewal, key)
  expect(renewed).toMatchObject({
    ...{ accountDuration: 60, accountExpireDate: inDays(60), accountDataLimit: 100 },
    accountPlan: { planUUID },
  })
  expect((await person.ask(renewByPlan, renewal, key)).accountDuration).toBe(60)
  expect(await points()).toBe(10_000 - 240)
  const [entry] = (await person.ask(getStatement, {})).items
  expect(entry).toMatchObject({ entryMovement: 'renew', entryAmount: -120, entryPlan: 'One month' })
})

test('a monthly plan renews periods of its own size', async () => {
  const monthly = { accountDataReset: 'monthly', accountDataLimit: 30 } as const
  const [plan, bigger] = [await addOne(monthly), await addOne({ ...monthly, accountDataLimit: 60 })]
  const { accountUUID } = await buy(plan.planUUID)
  expect(await fitting(accountUUID)).toEqual([plan.planUUID])
  expect(await person.refusal(renewByPlan, { accountUUID, planUUID: bigger.planUUID })).toBe('PLAN_MISMATCH')
  const renewed = await person.ask(renewByPlan, { accountUUID, planUUID: plan.planUUID })
  expect(renewed).toMatchObject({ accountDuration: 60, accountDataLimit: 30, accountDataReset: 'monthly' })
})

test('an account is renewed by plans with its ways, devices and data, and by no others', async () => {
  const plain = await addOne({ accountDataLimit: undefined })
  const misfits = [
    await addOne(),
    await addOne({ accountDataLimit: 50, accountDataReset: 'monthly' }),
    await addOne({ accountDataLimit: undefined, accountMaxDevices: 5 }),
    await addOne({ accountDataLimit: undefined, planWays: [trojanWay] }),
    await addOne({ accountDataLimit: undefined, planWays: [direct, trojanWay] }),
  ]
  const { accountUUID } = await custom()
  expect(await fitting(accountUUID)).toEqual([plain.planUUID])
  for (const { planUUID } of misfits)
    for (const call of [renewByPlan, quoteByPlan])
      expect(await person.refusal(call, { accountUUID, planUUID })).toBe('PLAN_MISMATCH')
  await product.admin.ask(setAnyAccountMaxDevices, { accountUUID, accountMaxDevices: 5 })
  expect(await fitting(accountUUID)).toEqual([plain.planUUID])
  const paidFor = await custom({ accountMaxDevices: 5, accountDataLimit: 10 })
  const five = await addOne({ accountMaxDevices: 5 })
  expect(await fitting(paidFor.accountUUID)).toEqual([five.planUUID])
  const further = await custom({ accountAlsoBy: [trojanWay] })
  expect(await fitting(further.accountUUID)).toEqual([misfits[4]?.planUUID])
  expect(await points()).toBe(10_000 - 3 * 300 - 30 * 3 * 2 - 10 * 3)
})

test('an account that was sold for one country is not renewed by a plan for any', async () => {
  const anywhere = await addOne({ planPoints: 1 })
  const french = await addOne({ planWays: [{ ...direct, countryId: 250 }] })
  const { accountUUID } = await buy(french.planUUID)
  expect(await fitting(accountUUID)).toEqual([french.planUUID])
  expect(await person.refusal(renewByPlan, { accountUUID, planUUID: anywhere.planUUID })).toBe(
    'PLAN_MISMATCH',
  )
})

test('a changed or deleted plan changes no account that it sold, and no statement', async () => {
  const { planUUID } = await addOne()
  const sold = await buy(planUUID)
  const { accountUUID } = sold
  const read = () => person.ask(getAccount, { accountUUID })
  const before = await read()
  await change(
    { planUUID },
    { planNames: { en: 'Other', fa: 'دیگر' }, accountDuration: 5, accountDataLimit: 1, planPoints: 9 },
  )
  expect(await read()).toEqual(before)
  await change({ planUUID }, { planWays: [trojanWay] })
  expect(await fitting(accountUUID)).toEqual([])
  await product.admin.ask(deletePlan, { planUUID })
  expect(await read()).toEqual(before)
  expect(await product.admin.ask(getAnyAccount, { accountUUID })).toMatchObject({
    accountPlan: { planUUID, planName: 'One month' },
  })
  const { csv } = await person.ask(getStatementFile, {})
  const [heading = '', newest = ''] = csv.split('\r\n')
  expect(heading.split(',').at(-1)).toBe('entryPlan')
  expect(newest.split(',').at(-1)).toBe('One month')
  expect((await person.ask(getStatement, {})).items[0]?.entryPlan).toBe('One month')
})

test('a custom renewal of an account that a plan sold pays the prices of the settings', async () => {
  const { planUUID } = await addOne({ accountMaxDevices: 4 })
  const { accountUUID } = await buy(planUUID)
  const before = await points()
  await person.ask(extendDuration, { accountUUID, accountDuration: 10, accountDataLimit: 5 })
  expect(before - (await points())).toBe(10 * (10 + 2 * 2) + 5 * 3)
  expect((await person.ask(getStatement, {})).items[0]?.entryPlan).toBeNull()
  expect(await fitting(accountUUID)).toEqual([planUUID])
})

test('with custom accounts switched off, resellers buy and renew by plan; administrators need none', async () => {
  const { planUUID } = await addOne({ accountDataLimit: undefined })
  const fits = await custom()
  const misfit = await custom({ accountDataLimit: 10 })
  await product.settings({ ...defaultSettings, ...prices, customAccounts: false })
  const { accountName: _, accountTunnelEnabled: __, ...asked } = { ...directAccount, accountDuration: 5 }
  expect(await person.refusal(newAccount, { ...directAccount })).toBe('PLAN_REQUIRED')
  expect((await person.ask(quoteAccount, asked)).quoteRefusal).toBe('PLAN_REQUIRED')
  expect(await person.ask(getPlans, {})).toMatchObject({ customAllowed: false })

  const renewalOf = ({ accountUUID }: { accountUUID: string }) => ({ accountUUID, accountDuration: 5 })
  expect(await person.refusal(extendDuration, renewalOf(fits))).toBe('PLAN_REQUIRED')
  expect((await person.ask(quoteAccount, { ...asked, ...renewalOf(fits) })).quoteRefusal).toBe(
    'PLAN_REQUIRED',
  )
  expect((await person.ask(getPlans, { accountUUID: fits.accountUUID })).customAllowed).toBe(false)
  await person.ask(renewByPlan, { accountUUID: fits.accountUUID, planUUID })

  const fitsNone = await person.ask(getPlans, { accountUUID: misfit.accountUUID })
  expect(fitsNone).toEqual({ plans: [], customAllowed: true })
  await person.ask(extendDuration, renewalOf(misfit))

  const both = { accountUUIDs: [fits.accountUUID, misfit.accountUUID], accountDuration: 5 }
  for (const call of [quoteBulk, extendBulk]) {
    const { accounts } = await person.ask(call, both)
    expect(accounts.map(({ accountRefusal }) => accountRefusal)).toEqual(['PLAN_REQUIRED', null])
  }

  const admin = await product.person({ level: 6, points: 1_000 })
  expect(await admin.ask(getPlans, {})).toMatchObject({ customAllowed: true })
  const { accountUUID } = await admin.ask(newAccount, { ...directAccount, accountDuration: 5 })
  await admin.ask(extendDuration, { accountUUID, accountDuration: 5 })
})

test('without plans, custom accounts that are switched off can still be renewed, not bought', async () => {
  const { accountUUID } = await custom()
  await product.settings({ ...defaultSettings, ...prices, customAccounts: false })
  await person.ask(extendDuration, { accountUUID, accountDuration: 5 })
  expect(await person.refusal(newAccount, { ...directAccount })).toBe('PLAN_REQUIRED')
})

test("another user's account is neither shown plans nor renewed by one", async () => {
  const { planUUID } = await addOne()
  const { accountUUID } = await buy(planUUID)
  const stranger = await product.person({ points: 1_000 })
  expect(await stranger.refusal(getPlans, { accountUUID })).toBe('RESOURCE_NOT_FOUND')
  for (const call of [renewByPlan, quoteByPlan])
    expect(await stranger.refusal(call, { accountUUID, planUUID })).toBe('RESOURCE_NOT_FOUND')
})

test('an abused account and one that would last too long are refused, with the quote saying so', async () => {
  const { planUUID } = await addOne({ accountDuration: 364, accountDataLimit: undefined })
  const { accountUUID } = await buy(planUUID)
  await product.setRow('accounts', accountUUID, { expires_at: new Date(Date.parse(inDays(3_500))) })
  const ask = { accountUUID, planUUID }
  expect((await person.ask(quoteByPlan, ask)).quoteRefusal).toBe('EXPIRY_TOO_FAR')
  expect(await person.refusal(renewByPlan, ask)).toBe('EXPIRY_TOO_FAR')
  await product.abuse(accountUUID)
  expect((await person.ask(quoteByPlan, ask)).quoteRefusal).toBe('ACCOUNT_ABUSED')
  expect(await person.refusal(renewByPlan, ask)).toBe('ACCOUNT_ABUSED')
})
