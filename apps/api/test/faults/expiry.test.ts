import { day, extendDuration, getDashboard, newAccount } from '@kelid/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { expireAccounts } from '../../src/features/accounts/expire.job.ts'
import { regularJobs } from '../../src/jobs/regular.ts'
import { runRegular } from '../../src/jobs/worker.ts'
import { type Person, productForAllTests } from '../product.ts'
import { directAccount } from '../sample-hosts.ts'

const start = new Date('2026-03-01T12:00:00.000Z')

const product = productForAllTests()
let user: Person
beforeAll(() => product.server({ serverMaxAccounts: 100_000 }))
beforeEach(async () => {
  product.clock.set(start)
  await sql`UPDATE accounts SET expiry_noted_at = ${start} WHERE expiry_noted_at IS NULL`.execute(
    product.ctx.db,
  )
  user = await product.person({ points: 1_000_000 })
})

const buy = async (days: number) =>
  (await user.ask(newAccount, { ...directAccount, accountDuration: days })).accountUUID

/** How often each account was announced since the given time. */
async function announced(since: Date): Promise<Record<string, number>> {
  const { rows } = await sql<{ uuid: string; times: number }>`
    SELECT payload ->> 'accountUUID' AS uuid, count(*) AS times FROM events
    WHERE user_id = ${user.id} AND payload ->> 'type' = 'account' AND at >= ${since} GROUP BY 1`.execute(
    product.ctx.db,
  )
  return Object.fromEntries(rows.map((row) => [row.uuid, row.times]))
}

test('an expired account is noted once, and again after it was renewed and has expired again', async () => {
  const [short, long] = [await buy(1), await buy(9)]
  product.clock.advance(day - 1)
  expect(await expireAccounts(product.ctx)).toBe(0)
  product.clock.advance(1)
  expect(await expireAccounts(product.ctx)).toBe(1)
  expect(await expireAccounts(product.ctx)).toBe(0)
  expect(await announced(product.clock.now())).toEqual({ [short]: 1 })

  user = await product.again(user)
  await user.call(extendDuration, { accountUUID: short, accountDuration: 1 })
  expect(await expireAccounts(product.ctx)).toBe(0)
  product.clock.advance(9 * day)
  expect(await expireAccounts(product.ctx)).toBe(2)
  expect(await announced(product.clock.now())).toEqual({ [short]: 1, [long]: 1 })
})

test('a locked account is skipped and noted the next time', async () => {
  const [held, free] = [await buy(1), await buy(1)]
  product.clock.advance(2 * day)
  const holder = new pg.Client(product.database.connection)
  await holder.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM accounts WHERE uuid = $1 FOR UPDATE', [held])
  expect(await expireAccounts(product.ctx)).toBe(1)
  expect(await announced(product.clock.now())).toEqual({ [free]: 1 })
  await holder.query('COMMIT')
  await holder.end()
  expect(await expireAccounts(product.ctx)).toBe(1)
  expect(await announced(product.clock.now())).toEqual({ [free]: 1, [held]: 1 })
})

test('four workers at once note each of many expired accounts once', async () => {
  const one = await buy(1)
  await sql`
    INSERT INTO accounts (uuid, user_id, name, vpn_type, tunnel_type, server_uuid, expires_at, enabled, secrets,
                          subscription_hash, created_at)
    SELECT gen_random_uuid(), user_id, name, vpn_type, tunnel_type, server_uuid, expires_at, enabled, secrets,
           sha256(number::text::bytea), created_at
    FROM accounts, generate_series(1, 1299) AS number WHERE uuid = ${one}`.execute(product.ctx.db)
  product.clock.advance(day)
  const noted = await Promise.all(Array.from({ length: 4 }, () => expireAccounts(product.ctx)))
  const rest = await expireAccounts(product.ctx)
  expect(noted.reduce((sum, size) => sum + size, rest)).toBe(1_300)
  const times = Object.values(await announced(product.clock.now()))
  expect([times.length, Math.max(...times)]).toEqual([1_300, 1])
})

test('the job leaves its mark with what it did, and none when it failed', async () => {
  const expiry = regularJobs.find(({ name }) => name === 'expiry')
  if (!expiry) throw new Error('there is no such job')
  await buy(1)
  product.clock.advance(day)
  await runRegular(product.ctx, expiry)
  const marks = await product.sql(`SELECT succeeded_at, outcome FROM job_marks WHERE name = 'expiry'`)
  expect(marks).toEqual([{ succeeded_at: product.clock.now(), outcome: { noted: 1 } }])

  const succeededAt = product.clock.now().toISOString()
  product.clock.advance(60_000)
  const broken = { ...expiry, run: () => Promise.reject(new Error('it broke')) }
  await expect(runRegular(product.ctx, broken)).rejects.toThrow('it broke')
  const admin = await product.again(product.admin)
  expect((await admin.ask(getDashboard, {})).lastExpiryDate).toBe(succeededAt)
})
