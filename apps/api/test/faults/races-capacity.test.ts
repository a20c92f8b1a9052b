import { defaultSettings, newAccount, provisionServer, setServerReady, setSettings } from '@kelid/contract'
import { beforeAll, expect } from 'vitest'
import type { Person } from '../product.ts'
import { directAccount, trojanServer, tunnelledAccount } from '../sample-hosts.ts'
import {
  chargesOf,
  expectSoundBooks,
  parallel,
  places,
  race,
  racedForAllTests,
  tally,
  together,
} from './races.ts'

const product = racedForAllTests()
let people: Person[]
beforeAll(async () => {
  people = await together(() => product.person({ points: 1_000_000, tunnelCredit: 1_000_000 }), 10)
})

const buyers = (index: number) => people[index % people.length] as Person
const exactly = { done: places, NO_CAPACITY: parallel - places }

const buyDirect = (index: number) => buyers(index).call(newAccount, { ...directAccount, accountDuration: 1 })
const buyTunnelled = (index: number) =>
  buyers(index).call(newAccount, { ...tunnelledAccount, accountDuration: 1 })

async function taken(table: 'servers' | 'tunnels', uuid: string): Promise<number> {
  return (await product.sql(`SELECT accounts FROM ${table} WHERE uuid = $1`, uuid))[0].accounts
}

for (const sizes of [[places], [5, places - 5], Array<number>(places).fill(1)])
  race(`${sizes.length} servers with 17 places together take 17 of 50 buyers, and all fill up`, async () => {
    const servers = await Promise.all(sizes.map((size) => product.server({ serverMaxAccounts: size })))
    expect(tally(await together(buyDirect))).toEqual(exactly)
    expect(await Promise.all(servers.map((uuid) => taken('servers', uuid)))).toEqual(sizes)
  })

race('a tunnel with 17 places takes 17, and a refused buyer holds no place on the server', async () => {
  const server = await product.server({ ...trojanServer(), serverMaxAccounts: 1_000 })
  const tunnel = await product.tunnel({ tunnelMaxAccounts: places })
  expect(tally(await together(buyTunnelled))).toEqual(exactly)
  expect(await taken('tunnels', tunnel)).toBe(places)
  await product.sql(`UPDATE servers SET state = 'failed' WHERE uuid = $1`, server)
})

race('buyers pay one of the prices while the price and the state of the server change', async () => {
  const { admin, ctx } = product
  const prices = [10, 7, 3]
  const serverUUID = await product.server({ serverMaxAccounts: 1_000 })
  const buyer = await product.person({ points: 1_000_000 })
  const buying = together(() => buyer.call(newAccount, { ...directAccount, accountDuration: 1 }))
  for (const price of prices) {
    const pointsPerDay = { ...defaultSettings.pointsPerDay, 'hysteria2-direct': price }
    await admin.call(setSettings, { pointsPerDay })
    await admin.call(provisionServer, { serverUUID })
    await admin.call(setServerReady, { serverUUID, reason: 'set up by hand' })
  }
  const { done = 0, NO_CAPACITY: refused = 0, ...others } = tally(await buying)
  expect({ all: done + refused, others }).toEqual({ all: parallel, others: {} })
  const charges = await chargesOf(product, buyer, 'create')
  expect(charges).toHaveLength(done)
  for (const [, amount] of charges) expect(prices).toContain(amount)
  await expectSoundBooks(ctx.db)
  await admin.call(provisionServer, { serverUUID })
})
