import {
  adjustUserCredit,
  day,
  defaultSettings,
  deleteBulk,
  extendBulk,
  extendDuration,
  getStatement,
  getUserAccounts,
  getUserCredit,
  getUserDebt,
  newAccount,
  quoteBulk,
  setEnabledBulk,
  setSettings,
} from '@kelid/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openGreeted } from '../../../test/faults/live-stream.ts'
import { expectSoundBooks } from '../../../test/faults/races.ts'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount, trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'
import { until } from '../../../test/until.ts'

const product = productForAllTests()
beforeAll(async () => {
  await product.server()
  await product.server(trojanServer())
  await product.tunnel()
})
afterAll(() => expectSoundBooks(product.ctx.db))
afterEach(() => product.settings({ renewal: 'extend' }))

const later = (days: number) => new Date(product.clock.now().getTime() + days * day).toISOString()
const nowhere = () => '00000000-0000-4000-8000-000000000000'

async function buy(person: Person, count: number, account: typeof directAccount | typeof tunnelledAccount) {
  const uuids: string[] = []
  for (let number = 0; number < count; number += 1)
    uuids.push((await person.ask(newAccount, { ...account, accountDuration: 1 })).accountUUID)
  return uuids
}

const balances = async (person: Person) => {
  const credit = await person.ask(getUserCredit, {})
  return {
    userCreditAfter: credit.userCredit,
    userCreditDollarsAfter: credit.userCreditDollars,
    userTunnelCreditAfter: credit.userTunnelCredit,
    userDebtAfter: (await person.ask(getUserDebt, {})).userDebt,
  }
}

const accountsOf = async (person: Person) =>
  new Map((await person.ask(getUserAccounts, {})).items.map((one) => [one.accountUUID, one]))

test('a bulk quote has the total cost, the balance after it and each expiry; the renewal does exactly that', async () => {
  const person = await product.person({ points: 1_000, tunnelCredit: 100 })
  const accountUUIDs = [...(await buy(person, 2, directAccount)), ...(await buy(person, 1, tunnelledAccount))]
  const ask = { accountUUIDs, accountDuration: 30 }
  const quote = await person.ask(quoteBulk, ask)
  expect(quote).toMatchObject({
    quotePoints: 900,
    quoteDollars: 9,
    quoteTunnelCredit: 30,
    quoteDebt: 0,
    quoteRenewal: 'extend',
    userCreditAfter: 70,
    userCreditDollarsAfter: 0.7,
    userTunnelCreditAfter: 69,
    userDebtAfter: 0,
  })
  expect(quote.accounts).toEqual(
    accountUUIDs.map((accountUUID, index) => ({
      accountUUID,
      accountRefusal: null,
      quotePoints: 300,
      quoteTunnelCredit: index === 2 ? 30 : 0,
      quoteDaysLost: 0,
      accountDurationAfter: 31,
      accountExpireDate: later(31),
    })),
  )
  expect((await accountsOf(person)).get(accountUUIDs[0] ?? '')?.accountDuration).toBe(1)

  const { quotePoints: quotedPoints, quoteTunnelCredit: quotedTunnelCredit, quoteDebt: quotedDebt } = quote
  const asShown = { ...ask, quotedPoints, quotedTunnelCredit, quotedDebt, quotedRenewal: quote.quoteRenewal }
  expect(await person.ask(extendBulk, asShown)).toEqual(quote)
  expect(quote).toMatchObject(await balances(person))
  for (const account of (await accountsOf(person)).values()) expect(account.accountExpireDate).toBe(later(31))
  const { items } = await person.ask(getStatement, { limit: 8 })
  const renewals = items.filter(
    ({ entryMovement, entryUnit }) => entryMovement === 'renew' && entryUnit === 'points',
  )
  expect(
    renewals.map(({ accountUUID, entryAmount, entryDays }) => [accountUUID, entryAmount, entryDays]),
  ).toEqual([...accountUUIDs].reverse().map((uuid) => [uuid, -300, 30]))
})

test('accounts are renewed in order from the remaining balance; an account that cannot be renewed is named and unchanged', async () => {
  const person = await product.person({ points: 420, tunnelCredit: 5 })
  const stranger = await product.person({ points: 100 })
  const [first = '', abused = '', dear = ''] = await buy(person, 3, directAccount)
  const [tunnelled = ''] = await buy(person, 1, tunnelledAccount)
  const [foreign = ''] = await buy(stranger, 1, directAccount)
  await product.abuse(abused)
  const accountUUIDs = [first, foreign, abused, tunnelled, nowhere(), dear]
  const ask = { accountUUIDs, accountDuration: 20 }
  const quote = await person.ask(quoteBulk, ask)
  expect(quote.accounts.map(({ accountUUID, accountRefusal }) => [accountUUID, accountRefusal])).toEqual([
    [first, null],
    [foreign, 'RESOURCE_NOT_FOUND'],
    [abused, 'ACCOUNT_ABUSED'],
    [tunnelled, 'INSUFFICIENT_TUNNEL_CREDIT'],
    [nowhere(), 'RESOURCE_NOT_FOUND'],
    [dear, 'INSUFFICIENT_CREDIT'],
  ])
  expect(quote).toMatchObject({ quotePoints: 200, userCreditAfter: 180, userTunnelCreditAfter: 4 })
  expect(quote.accounts[1]).toMatchObject({ accountExpireDate: null, accountDurationAfter: null })
  const before = (await accountsOf(stranger)).get(foreign)
  expect(await person.ask(extendBulk, ask)).toEqual(quote)
  const after = await accountsOf(person)
  expect([first, abused, tunnelled, dear].map((uuid) => after.get(uuid)?.accountDuration)).toEqual([
    21, 1, 1, 1,
  ])
  expect((await accountsOf(stranger)).get(foreign)).toEqual(before)
})

test('the quoted debt of a bulk renewal equals that of single renewals', async () => {
  const rate = 7
  const [many, single] = await Promise.all([0, 1].map(() => product.person({ points: 100, debtLimit: 100 })))
  if (!many || !single) throw new Error('nobody')
  const [ofMany, ofSingle] = [await buy(many, 3, directAccount), await buy(single, 3, directAccount)]
  await product.sql('UPDATE users SET credit_rate = $1 WHERE id IN ($2, $3)', rate, many.id, single.id)
  const quote = await many.ask(quoteBulk, { accountUUIDs: ofMany, accountDuration: 5 })
  const done = await many.ask(extendBulk, { accountUUIDs: ofMany, accountDuration: 5 })
  for (const accountUUID of ofSingle) await single.call(extendDuration, { accountUUID, accountDuration: 5 })
  expect(done).toEqual(quote)
  expect(quote.quoteDebt).toBeGreaterThan(0)
  expect(await balances(many)).toEqual(await balances(single))
  expect(await balances(many)).toMatchObject({ userDebtAfter: quote.userDebtAfter, userCreditAfter: 0 })
})

test('a bulk renewal is refused if price, debt or the number of accounts differ from its quote', async () => {
  const person = await product.person({ points: 1_000, debtLimit: 100 })
  const accountUUIDs = await buy(person, 3, directAccount)
  const ask = { accountUUIDs, accountDuration: 10 }
  const quotedNow = async () => {
    const quote = await person.ask(quoteBulk, ask)
    return {
      quotedPoints: quote.quotePoints,
      quotedTunnelCredit: quote.quoteTunnelCredit,
      quotedDebt: quote.quoteDebt,
      quotedRenewal: quote.quoteRenewal,
    }
  }
  const untouched = [await balances(person), await accountsOf(person)]
  const prices = (price: number) => ({
    pointsPerDay: { ...defaultSettings.pointsPerDay, 'hysteria2-direct': price },
  })
  const quoted = await quotedNow()
  const attempt = () => person.call(extendBulk, { ...ask, ...quoted })

  await product.admin.call(setSettings, prices(9))
  expect((await attempt()).errorType).toBe('QUOTE_CHANGED')
  await product.admin.call(setSettings, prices(10))
  await product.settings({ renewal: 'replace' })
  expect((await attempt()).errorType).toBe('QUOTE_CHANGED')
  await product.settings({ renewal: 'extend' })
  expect([await balances(person), await accountsOf(person)]).toEqual(untouched)

  const take = (amount: number) =>
    product.admin.call(adjustUserCredit, { userEmail: person.email, amount, reason: 'elsewhere' })
  await take(-800)
  expect((await attempt()).errorType).toBe('QUOTE_CHANGED')
  expect((await quotedNow()).quotedDebt).toBe(1.3)
  await take(800)
  await product.abuse(accountUUIDs[1] ?? '')
  expect((await attempt()).errorType).toBe('QUOTE_CHANGED')
  expect(await balances(person)).toEqual(untouched[0])
  const shownAgain = await quotedNow()
  expect((await person.ask(extendBulk, { ...ask, ...shownAgain })).quotePoints).toBe(200)
})

test('under the replace rule a quote has the lost days of each account and in total', async () => {
  const person = await product.person({ points: 10_000 })
  const [short = '', long = ''] = await buy(person, 2, directAccount)
  await person.call(extendDuration, { accountUUID: long, accountDuration: 30 })
  await product.settings({ renewal: 'replace' })
  const quote = await person.ask(quoteBulk, { accountUUIDs: [short, long], accountDuration: 10 })
  expect(quote).toMatchObject({ quoteRenewal: 'replace', quotePoints: 90, quoteDaysLost: 21 })
  expect(
    quote.accounts.map(({ quoteDaysLost, accountExpireDate }) => [quoteDaysLost, accountExpireDate]),
  ).toEqual([
    [0, later(10)],
    [21, later(10)],
  ])
})

test('bulk enabling, disabling and deleting report each account, and accounts of others stay unchanged', async () => {
  const person = await product.person({ points: 1_000, tunnelCredit: 10 })
  const stranger = await product.person({ points: 100 })
  const [direct = '', abused = ''] = await buy(person, 2, directAccount)
  const [tunnelled = ''] = await buy(person, 1, tunnelledAccount)
  const [foreign = ''] = await buy(stranger, 1, directAccount)
  await product.abuse(abused)
  const accountUUIDs = [direct, abused, foreign, tunnelled]
  const outcomes = ({ items }: { items: readonly { accountRefusal: string | null }[] }) =>
    items.map(({ accountRefusal }) => accountRefusal)
  const enabled = async () => {
    const all = await accountsOf(person)
    return accountUUIDs.map((uuid) => all.get(uuid)?.accountEnabled)
  }

  const disabling = await person.ask(setEnabledBulk, { accountUUIDs, accountEnabled: false })
  expect(outcomes(disabling)).toEqual([null, null, 'RESOURCE_NOT_FOUND', null])
  expect(await enabled()).toEqual([false, false, undefined, false])
  const enabling = await person.ask(setEnabledBulk, { accountUUIDs, accountEnabled: true })
  expect(outcomes(enabling)).toEqual([null, 'ACCOUNT_ABUSED', 'RESOURCE_NOT_FOUND', null])
  expect(await enabled()).toEqual([true, false, undefined, true])

  const credit = await balances(person)
  const deleting = await person.ask(deleteBulk, { accountUUIDs })
  expect(outcomes(deleting)).toEqual([null, null, 'RESOURCE_NOT_FOUND', null])
  expect((await accountsOf(person)).size).toBe(0)
  expect(await balances(person)).toEqual(credit)
  expect((await accountsOf(stranger)).get(foreign)?.accountEnabled).toBe(true)
})

test('open screens get the same events as for single operations', async () => {
  const person = await product.person({ points: 1_000 })
  const stream = await openGreeted(product, person)
  const heard = async <T>(work: () => Promise<T>, count: number) => {
    const before = stream.received.length
    const result = await work()
    await until(() => stream.received.length === before + count, 'what was done')
    return { result, events: stream.received.slice(before).map(({ event }) => event) }
  }
  const { result: accountUUIDs } = await heard(() => buy(person, 2, directAccount), 4)
  const each = accountUUIDs.map((accountUUID) => ({ type: 'account', accountUUID }))
  const renewing = await heard(() => person.call(extendBulk, { accountUUIDs, accountDuration: 1 }), 3)
  expect(renewing.events).toEqual([{ type: 'balance' }, ...each])
  const disable = { accountUUIDs, accountEnabled: false }
  const disabling = await heard(() => person.call(setEnabledBulk, disable), 2)
  expect(disabling.events).toEqual(expect.arrayContaining(each))
  const deleting = await heard(() => person.call(deleteBulk, { accountUUIDs }), 2)
  expect(deleting.events).toEqual(expect.arrayContaining(each))
  stream.drop()
})
