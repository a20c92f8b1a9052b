import { addData, day, extendDuration, gigabyte, newAccount, resetData } from '@kelid/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { nodesForAllTests, type ServerNode } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'
import { regularJobs } from '../../jobs/regular.ts'
import { runRegular } from '../../jobs/worker.ts'

const product = nodesForAllTests()
let person: Person
let begin: Date
let node: ServerNode
beforeAll(async () => {
  begin = product.clock.now()
  node = await product.onlyServer()
})
beforeEach(async () => {
  product.clock.set(begin)
  person = await product.person({ points: 1_000_000 })
})

/** An account whose host reports what it has used in all. */
async function buy(wanted: { accountDataLimit: number; accountDataReset?: 'monthly' }) {
  const { accountUUID } = await person.ask(newAccount, { ...directAccount, accountDuration: 60, ...wanted })
  /** Returns the reminders that its owner has got so far. */
  const use = async (gigabytes: number) => {
    await node.say({ usage: [{ id: accountUUID, up: 0, down: Math.round(gigabytes * gigabyte) }] })
    return shares()
  }
  const shares = async () => {
    const rows = await product.sql(
      `SELECT user_id, payload ->> 'dataShare' AS share FROM events
        WHERE payload ->> 'accountUUID' = $1 AND payload ? 'dataShare' ORDER BY xid, id`,
      accountUUID,
    )
    expect(rows.every(({ user_id }) => user_id === person.id)).toBe(true)
    return rows.map(({ share }) => Number(share))
  }
  return { accountUUID, use, shares }
}

test('the owner is reminded at 80% and at 100%, once', async () => {
  const { use } = await buy({ accountDataLimit: 10 })
  expect(await use(7.99)).toEqual([])
  expect(await use(8)).toEqual([80])
  expect(await use(9)).toEqual([80])
  expect(await use(10)).toEqual([80, 100])
  expect(await use(10.5)).toEqual([80, 100])
})

test('an account that uses all of its data at once has one reminder', async () => {
  const { use } = await buy({ accountDataLimit: 1 })
  expect(await use(2)).toEqual([100])
})

test('after data was added, what is reached again is reminded of again, and nothing else', async () => {
  const { accountUUID, use, shares } = await buy({ accountDataLimit: 10 })
  await use(8)
  expect(await use(10)).toEqual([80, 100])
  await person.ask(addData, { accountUUID, accountDataLimit: 1 })
  expect(await shares(), '91% are no news').toEqual([80, 100])
  expect(await use(10.5)).toEqual([80, 100])
  expect(await use(11)).toEqual([80, 100, 100])
  await person.ask(extendDuration, { accountUUID, accountDuration: 1, accountDataLimit: 20 })
  expect(await use(12)).toEqual([80, 100, 100])
  expect(await use(25)).toEqual([80, 100, 100, 80])
})

test('a new period and a reset by an administrator begin again', async () => {
  const { accountUUID, use } = await buy({ accountDataLimit: 10, accountDataReset: 'monthly' })
  expect(await use(8)).toEqual([80])
  await product.admin.ask(resetData, { accountUUID, reason: 'a mistake' })
  expect(await use(15)).toEqual([80])
  expect(await use(16)).toEqual([80, 80])
  product.clock.advance(30 * day)
  const job = regularJobs.find(({ name }) => name === 'data')
  if (job) await runRegular(product.ctx, job)
  expect(await use(17)).toEqual([80, 80])
  expect(await use(26)).toEqual([80, 80, 100])
})
