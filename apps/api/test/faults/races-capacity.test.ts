import { newAccount } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { directAccount, type Person, trojanServer, tunnelledAccount } from '../product.ts'
import { scale } from '../scale.ts'
import { openRaced, parallel, places, type RacedProduct, tally, together } from './races.ts'

const rounds = scale(2, 20)

let product: RacedProduct
let people: Person[]
beforeAll(async () => {
  product = await openRaced()
  people = await together(() => product.person({ points: 1_000_000, tunnelCredit: 1_000_000 }), 10)
})
afterAll(() => product.close())

const buyers = (index: number) => people[index % people.length] as Person
const exactly = { done: places, NO_CAPACITY: parallel - places }

const buyDirect = (index: number) => buyers(index).call(newAccount, { ...directAccount, accountDuration: 1 })
const buyTunnelled = (index: number) =>
  buyers(index).call(newAccount, { ...tunnelledAccount, accountDuration: 1 })

async function taken(table: 'servers' | 'tunnels', uuid: string): Promise<number> {
  const row = await product.ctx.db
    .selectFrom(table)
    .select('accounts')
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow()
  return row.accounts
}

test('a server with 17 places takes 17 of 50 buyers', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const server = await product.server({ serverMaxAccounts: places })
    expect(tally(await together(buyDirect))).toEqual(exactly)
    expect(await taken('servers', server)).toBe(places)
  }
})

test('two servers with 17 places together take 17, and both fill up', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const small = await product.server({ serverMaxAccounts: 5 })
    const large = await product.server({ serverMaxAccounts: places - 5 })
    expect(tally(await together(buyDirect))).toEqual(exactly)
    expect([await taken('servers', small), await taken('servers', large)]).toEqual([5, places - 5])
  }
})

test('seventeen servers with one place each take one account each', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const servers = await together(() => product.server({ serverMaxAccounts: 1 }), places)
    expect(tally(await together(buyDirect))).toEqual(exactly)
    for (const server of servers) expect(await taken('servers', server)).toBe(1)
  }
})

test('a tunnel with 17 places takes 17, and a refused buyer holds no place on the server', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const server = await product.server({ ...trojanServer(), serverMaxAccounts: 1_000 })
    const tunnel = await product.tunnel({ tunnelMaxAccounts: places })
    expect(tally(await together(buyTunnelled))).toEqual(exactly)
    expect(await taken('tunnels', tunnel)).toBe(places)
    await product.ctx.db.updateTable('servers').set({ state: 'failed' }).where('uuid', '=', server).execute()
  }
})
