import { defaultSettings, newAccount, provisionServer, setServerReady, setSettings } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { directAccount, type Person } from '../product.ts'
import { scale } from '../scale.ts'
import { expectSoundBooks, openRaced, type RacedProduct, tally, together } from './races.ts'

const rounds = scale(2, 20)
const prices = [10, 7, 3]

let product: RacedProduct
let admin: Person
beforeAll(async () => {
  product = await openRaced()
  admin = await product.person({ level: 10 })
})
afterAll(() => product.close())

test('while many buy, the price changes and the server goes away and comes back: each pays one of the prices, and the books and places agree', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const serverUUID = await product.server({ serverMaxAccounts: 1_000 })
    const buyer = await product.person({ points: 1_000_000 })
    const buying = together(() => buyer.call(newAccount, { ...directAccount, accountDuration: 1 }))
    for (const price of prices) {
      await admin.call(setSettings, {
        pointsPerDay: { ...defaultSettings.pointsPerDay, 'hysteria2-direct': price },
      })
      await admin.call(provisionServer, { serverUUID })
      await admin.call(setServerReady, { serverUUID, reason: 'set up by hand' })
    }
    const { done = 0, NO_CAPACITY: away = 0, ...others } = tally(await buying)
    expect({ all: done + away, others }).toEqual({ all: 50, others: {} })

    const { ctx } = product
    const charges = await ctx.db
      .selectFrom('ledger_entries as e')
      .innerJoin('ledger_transactions as t', 't.id', 'e.transaction_id')
      .select('e.amount')
      .where('t.movement', '=', 'create')
      .where('e.user_id', 'is not', null)
      .where('t.actor_email', '=', buyer.email)
      .execute()
    expect(charges).toHaveLength(done)
    for (const { amount } of charges) expect(prices).toContain(-amount)
    await expectSoundBooks(ctx.db)
    await admin.call(provisionServer, { serverUUID })
  }
})
