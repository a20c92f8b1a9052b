import { randomUUID } from 'node:crypto'
import {
  adjustUserCredit,
  day,
  defaultSettings,
  extendDuration,
  getAccount,
  getUserAccounts,
  getUserCredit,
  getUserDebt,
  newAccount,
  quoteAccount,
  setSettings,
} from '@kelid/contract'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount, trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'

const product = productForAllTests()
beforeAll(async () => {
  await product.server()
  await product.server(trojanServer())
  await product.tunnel()
})

const usual = {
  pointsPerDay: defaultSettings.pointsPerDay,
  tunnelCreditPerDay: 1,
  renewal: 'extend',
} as const
const set = async (change: Parameters<typeof product.settings>[0]) =>
  (await product.again(product.admin)).call(setSettings, change)
afterEach(() => set(usual))

/** What the form shows and sends with the purchase. */
async function quotedFor(person: Person, question: Parameters<typeof person.call<typeof quoteAccount>>[1]) {
  const quote = await person.ask(quoteAccount, question)
  return {
    quotedPoints: quote.quotePoints,
    quotedTunnelCredit: quote.quoteTunnelCredit,
    quotedDebt: quote.quoteDebt,
    ...(quote.quoteRenewal && { quotedRenewal: quote.quoteRenewal }),
  }
}

const { accountVPNType, accountTunnelType, accountDuration } = tunnelledAccount
const question = { accountVPNType, accountTunnelType, accountDuration }
const holdings = async (person: Person) => [
  (await person.ask(getUserCredit, {})).userCredit,
  (await person.ask(getUserAccounts, {})).items.length,
]

test('a purchase is refused after a change of price, and accepted with the new quote', async () => {
  for (const change of [
    { pointsPerDay: { ...usual.pointsPerDay, trojan: 11 } },
    { pointsPerDay: { ...usual.pointsPerDay, trojan: 9 } },
    { tunnelCreditPerDay: 2 },
  ]) {
    const person = await product.person({ points: 1_000, tunnelCredit: 100 })
    const quoted = await quotedFor(person, question)
    await set(change)
    const refused = await person.call(newAccount, { ...tunnelledAccount, ...quoted })
    expect([refused.status, refused.errorType]).toEqual([409, 'QUOTE_CHANGED'])
    expect(await holdings(person)).toEqual([1_000, 0])
    const seenAgain = await quotedFor(person, question)
    expect((await person.call(newAccount, { ...tunnelledAccount, ...seenAgain })).status).toBe(200)
    expect(await holdings(person)).toEqual([1_000 - seenAgain.quotedPoints, 1])
    await set(usual)
  }
})

test('a purchase that would cause another debt than quoted is refused', async () => {
  const person = await product.person({ points: 1_000, debtLimit: 50, tunnelCredit: 100 })
  const quoted = await quotedFor(person, question)
  expect(quoted.quotedDebt).toBe(0)
  const spent = { userEmail: person.email, amount: -900, reason: 'spent in another window' }
  await product.admin.call(adjustUserCredit, spent)
  const refused = await person.call(newAccount, { ...tunnelledAccount, ...quoted })
  expect(refused.errorType).toBe('QUOTE_CHANGED')
  expect((await person.ask(getUserDebt, {})).userDebt).toBe(0)
  const onDebt = await quotedFor(person, question)
  expect(onDebt.quotedDebt).toBe(2)
  expect((await person.call(newAccount, { ...tunnelledAccount, ...onDebt })).status).toBe(200)
  expect((await person.ask(getUserDebt, {})).userDebt).toBe(2)
})

test('a renewal is bound to the price, to the rule and to the days that remain', async () => {
  const person = await product.person({ points: 10_000 })
  const { accountUUID } = await person.ask(newAccount, directAccount)
  const { accountVPNType, accountTunnelType } = directAccount
  const renewal = { accountUUID, accountDuration: 30 }
  const ask = { ...renewal, accountVPNType, accountTunnelType }
  const expiry = async () =>
    (await (await product.again(person)).ask(getAccount, { accountUUID })).accountExpireDate
  const before = await expiry()

  const byExtending = await quotedFor(person, ask)
  await set({ renewal: 'replace' })
  const refused = await person.call(extendDuration, { ...renewal, ...byExtending })
  expect(refused.errorType).toBe('QUOTE_CHANGED')
  const free = await quotedFor(person, ask)
  expect(free).toMatchObject({ quotedPoints: 0, quotedRenewal: 'replace' })
  await set({ renewal: 'extend' })
  expect(await person.refusal(extendDuration, { ...renewal, ...free })).toBe('QUOTE_CHANGED')

  await set({ renewal: 'replace' })
  product.clock.advance(day)
  const later = (await product.again(person)).call
  expect((await later(extendDuration, { ...renewal, ...free })).errorType).toBe('QUOTE_CHANGED')
  expect(await expiry()).toBe(before)
  expect((await later(extendDuration, { ...renewal, ...free, quotedPoints: 10 })).status).toBe(200)
})

test('a retry under the same key returns the purchase, also after a change of price', async () => {
  const person = await product.person({ points: 1_000, tunnelCredit: 100 })
  const key = { 'idempotency-key': randomUUID() }
  const quoted = await quotedFor(person, question)
  const bought = await person.ask(newAccount, { ...tunnelledAccount, ...quoted }, key)
  await set({ pointsPerDay: { ...usual.pointsPerDay, trojan: 20 } })
  const shownNow = await quotedFor(person, question)
  const again = await person.ask(newAccount, { ...tunnelledAccount, ...shownNow }, key)
  expect(again.accountUUID).toBe(bought.accountUUID)
  expect(await holdings(person)).toEqual([700, 1])
})
