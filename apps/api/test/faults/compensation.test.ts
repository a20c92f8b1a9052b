import { randomUUID } from 'node:crypto'
import {
  compensate,
  day,
  deleteAccount,
  extendDuration,
  getCompensations,
  moveHostAccounts,
  newAccount,
} from '@kelid/contract'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Context } from '../../src/context.ts'
import { giveCompensation } from '../../src/features/compensations/compensate.job.ts'
import type { Person } from '../product.ts'
import { directAccount } from '../sample-hosts.ts'
import { scale, seedOf } from '../scale.ts'
import { racedForAllTests, tally, together } from './races.ts'
import { random } from './random.ts'

const accountsOf = scale(1_700, 20_000)
vi.setConfig({ testTimeout: scale(600_000, 1_800_000) })

const product = racedForAllTests()
let admin: Person
beforeAll(async () => {
  admin = product.admin
})

/** A server with many accounts of one person. Most are copies of the first without a usable secret; some are bought. */
async function crowded(count: number, bought = 1) {
  await product.sql(`UPDATE servers SET state = 'failed'`)
  const serverUUID = await product.server({ serverMaxAccounts: 100_000 })
  const person = await product.person({ points: 1_000_000_000 })
  const accounts: string[] = []
  while (accounts.length < bought)
    accounts.push((await person.ask(newAccount, { ...directAccount, accountDuration: 10 })).accountUUID)
  await product.sql(
    `INSERT INTO accounts (uuid, user_id, name, vpn_type, tunnel_type, server_uuid, expires_at, enabled, secrets,
       subscription_hash, created_at)
     SELECT gen_random_uuid(), user_id, name, vpn_type, tunnel_type, server_uuid, expires_at, enabled, secrets,
       sha256((uuid::text || n)::bytea), created_at FROM accounts, generate_series(1, $2) n WHERE uuid = $1`,
    ...[accounts[0], count - bought],
  )
  await product.sql('UPDATE servers SET accounts = $2 WHERE uuid = $1', serverUUID, count)
  return { serverUUID, person, accounts }
}

const giftOf = (serverUUID: string) => ({
  ...{ serverUUID, days: 3, accounts: accountsOf, reason: 'down for a night' },
})
const begin = async (serverUUID: string) => (await admin.ask(compensate, giftOf(serverUUID))).compensationUUID

/** How many accounts there are for each number of days they have been given or have bought on top. */
async function gained(person: Person): Promise<Record<string, number>> {
  const rows = await product.sql('SELECT expires_at, created_at FROM accounts WHERE user_id = $1', person.id)
  const counts: Record<string, number> = {}
  for (const { expires_at, created_at } of rows) {
    const days = (expires_at.getTime() - created_at.getTime()) / day - 10
    counts[days] = (counts[days] ?? 0) + 1
  }
  return counts
}

const progress = async (serverUUID: string) => (await admin.ask(getCompensations, { serverUUID })).items[0]

test('a compensation that is confirmed and delivered many times at once is given once', async () => {
  const { serverUUID, person } = await crowded(accountsOf)
  const key = randomUUID()
  const confirmed = await together(
    (index) =>
      admin.call(compensate, giftOf(serverUUID), { 'idempotency-key': index % 2 ? key : randomUUID() }),
    20,
  )
  const { done = 0, COMPENSATION_RUNS: refused = 0 } = tally(confirmed)
  expect(done + refused).toBe(20)
  const uuids = new Set(
    confirmed.flatMap((reply) => (reply.errorType ? [] : [reply.answer().compensationUUID])),
  )
  expect(uuids.size).toBe(1)
  const [uuid = ''] = uuids
  await together(() => giveCompensation(product.ctx, uuid), 5)
  expect(await gained(person)).toEqual({ 3: accountsOf })
  expect(await progress(serverUUID)).toMatchObject({
    compensationState: 'finished',
    compensationDone: accountsOf,
    compensationSkipped: 0,
  })
})

test('renewals, deletions and a move during a compensation lose no day and give none twice', async () => {
  const { serverUUID, person, accounts } = await crowded(accountsOf, 40)
  const to = await product.server({ serverMaxAccounts: 100_000 })
  const [renewed, deleted] = [accounts.slice(0, 20), accounts.slice(20)]
  const uuid = await begin(serverUUID)
  const [, ...replies] = await Promise.all([
    giveCompensation(product.ctx, uuid),
    ...renewed.map((accountUUID) => person.call(extendDuration, { accountUUID, accountDuration: 7 })),
    ...deleted.map((accountUUID) => person.call(deleteAccount, { accountUUID })),
    giveCompensation(product.ctx, uuid).then(() => ({ status: 200, errorType: undefined })),
  ])
  expect(tally(replies)).toEqual({ done: 41 })
  const left = accountsOf - deleted.length
  expect(await gained(person)).toEqual({ 3: left - renewed.length, 10: renewed.length })
  const moved = await admin.call(moveHostAccounts, { hostUUID: serverUUID, toHostUUID: to, accounts: left })
  expect(moved.answer()).toEqual({ accounts: left })
  expect(await progress(serverUUID)).toMatchObject({ compensationDone: accountsOf })
})

test('a compensation that is killed again and again continues where it was', async () => {
  const dice = random(seedOf('compensation'))
  const { serverUUID, person } = await crowded(accountsOf)
  const uuid = await begin(serverUUID)
  const killedNow = () => {
    if (dice.chance(0.4)) throw new Error('killed')
  }
  const mortal: Context = {
    ...product.ctx,
    atomically: async (work) => {
      const result = await product.ctx.atomically(async (tx) => {
        const done = await work(tx)
        killedNow()
        return done
      })
      killedNow()
      return result
    },
  }
  let kills = 0
  const deliver = () =>
    giveCompensation(mortal, uuid).then(
      () => true,
      () => false,
    )
  while (!(await deliver())) kills += 1
  console.log(`${kills} kills`)
  expect(await gained(person)).toEqual({ 3: accountsOf })
  expect(await progress(serverUUID)).toMatchObject({
    compensationState: 'finished',
    compensationDone: accountsOf,
  })
})
