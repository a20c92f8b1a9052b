import {
  defaultSettings,
  extendBulk,
  newAccount,
  quoteAccount,
  quoteBulk,
  setSettings,
} from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { directAccount, type Person } from '../product.ts'
import { scale } from '../scale.ts'
import { expectSoundBooks, openRaced, type RacedProduct, tally, together } from './races.ts'

const rounds = scale(2, 20)
const prices = [10, 7, 3, 10, 8]

let product: RacedProduct
let admin: Person
beforeAll(async () => {
  product = await openRaced()
  admin = await product.person({ level: 10 })
  await product.server({ serverMaxAccounts: 100_000 })
})
afterAll(() => product.close())

const setPrice = (price: number) =>
  admin.call(setSettings, { pointsPerDay: { ...defaultSettings.pointsPerDay, 'hysteria2-direct': price } })

const changePrices = async () => {
  for (const price of prices) await setPrice(price)
}

const { accountVPNType, accountTunnelType } = directAccount

/** What the ledger says that each account has cost, by the movement. */
async function chargesOf(person: Person, movement: 'create' | 'renew') {
  const rows = await product.ctx.db
    .selectFrom('ledger_entries as e')
    .innerJoin('ledger_transactions as t', 't.id', 'e.transaction_id')
    .select(['e.amount', 't.account_uuid'])
    .where('t.movement', '=', movement)
    .where('e.user_id', '=', person.id)
    .execute()
  return rows.map(({ amount, account_uuid }) => [account_uuid, -amount])
}

test('while the price changes between quote and purchase, whoever bought paid what they were shown', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const buyer = await product.person({ points: 1_000_000 })
    const changing = changePrices()
    const replies = await together(async () => {
      const ask = { accountVPNType, accountTunnelType, accountDuration: 1 }
      const { quotePoints } = (await buyer.call(quoteAccount, ask)).answer()
      const body = { ...directAccount, accountDuration: 1, quotedPoints: quotePoints }
      return { quotePoints, reply: await buyer.call(newAccount, body) }
    })
    await changing
    const { done = 0, QUOTE_CHANGED: refused = 0, ...others } = tally(replies.map(({ reply }) => reply))
    expect({ all: done + refused, others }).toEqual({ all: replies.length, others: {} })
    const shown = replies.flatMap(({ quotePoints, reply }) =>
      reply.errorType ? [] : [[reply.answer().accountUUID, quotePoints]],
    )
    expect((await chargesOf(buyer, 'create')).sort()).toEqual(shown.sort())
    await expectSoundBooks(product.ctx.db)
  }
})

test('many renewals at once are one price, as shown, for every account of theirs', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const buyer = await product.person({ points: 1_000_000 })
    const aDay = { ...directAccount, accountDuration: 1 }
    const accountUUIDs = await together(
      async () => (await buyer.call(newAccount, aDay)).answer().accountUUID,
      10,
    )
    const ask = { accountUUIDs, accountDuration: 1 }
    const changing = changePrices()
    const replies = await together(async () => {
      const { quotePoints } = (await buyer.call(quoteBulk, ask)).answer()
      return { quotePoints, reply: await buyer.call(extendBulk, { ...ask, quotedPoints: quotePoints }) }
    }, 20)
    await changing
    tally(replies.map(({ reply }) => reply))
    const done = replies.filter(({ reply }) => !reply.errorType)
    const charges = await chargesOf(buyer, 'renew')
    expect(charges).toHaveLength(done.length * accountUUIDs.length)
    const charged = charges.reduce((sum, [, amount]) => sum + Number(amount), 0)
    expect(charged).toBe(done.reduce((sum, { quotePoints }) => sum + quotePoints, 0))
  }
})
