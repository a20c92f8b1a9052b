import { randomUUID } from 'node:crypto'
import {
  adjustUserCredit,
  deleteBulk,
  extendBulk,
  extendDuration,
  limits,
  newAccount,
  setEnabledBulk,
  settleKey,
} from '@kelid/contract'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'

const product = productForAllTests()
beforeAll(() => product.server())

const keyed = () => ({ 'idempotency-key': randomUUID() })
const rowsOf = async (table: 'idempotency_keys' | 'events', { id }: Person) =>
  (await product.sql(`SELECT FROM ${table} WHERE user_id = $1`, id)).length
const keysOf = (person: Person) => rowsOf('idempotency_keys', person)

async function withAccount() {
  const person = await product.person({ points: 10_000 })
  const { accountUUID } = await person.ask(newAccount, directAccount)
  return { person, accountUUIDs: [accountUUID] }
}

/** As many keys as one user may have, some of them older than a day. */
const fillKeys = ({ id }: Person, count: number, age = '0 seconds', accountUUID: string | null = null) =>
  sql`INSERT INTO idempotency_keys (user_id, key, request_hash, account_uuid, reply, created_at)
    SELECT ${id}, 'key-' || ${randomUUID()} || number, sha256('x'), ${accountUUID}::uuid, NULL,
      ${product.clock.now()}::timestamptz - ${age}::interval
    FROM generate_series(1, ${count}::int) AS number`.execute(product.ctx.db)

test('only a bulk call that changes something stores its key', async () => {
  const { person, accountUUIDs } = await withAccount()
  const ghosts = [randomUUID()]
  const idle = { accountUUIDs, accountEnabled: true }
  await person.ask(setEnabledBulk, idle, keyed())
  await person.ask(setEnabledBulk, { accountUUIDs: ghosts, accountEnabled: false }, keyed())
  await person.ask(deleteBulk, { accountUUIDs: ghosts }, keyed())
  await person.ask(extendBulk, { accountUUIDs: ghosts, accountDuration: 30 }, keyed())
  expect(await keysOf(person)).toBe(0)

  const events = await rowsOf('events', person)
  const again = await person.ask(setEnabledBulk, idle, keyed())
  expect(again.items).toEqual([{ accountUUID: accountUUIDs[0], accountRefusal: null }])
  expect(await rowsOf('events', person)).toBe(events)

  const key = keyed()
  const off = { accountUUIDs, accountEnabled: false }
  const first = await person.ask(setEnabledBulk, off, key)
  expect(await keysOf(person)).toBe(1)
  await person.ask(setEnabledBulk, idle)
  expect(await person.ask(setEnabledBulk, off, key)).toEqual(first)
  expect(await person.refusal(setEnabledBulk, idle, key)).toBe('KEY_REUSED')
})

test('a renewal that changes no expiry stores no key', async () => {
  const { person, accountUUIDs } = await withAccount()
  await product.settings({ renewal: 'replace' })
  const asItIs = { accountUUIDs, accountDuration: directAccount.accountDuration }
  await person.ask(extendBulk, asItIs, keyed())
  expect(await keysOf(person)).toBe(0)
  await product.settings({ renewal: 'extend' })
})

test('a user has a limited number of keys; stored ones are still answered', async () => {
  const { person, accountUUIDs } = await withAccount()
  const off = { accountUUIDs, accountEnabled: false }
  const key = keyed()
  const first = await person.ask(setEnabledBulk, off, key)
  await fillKeys(person, limits.keysPerUser - 1)
  await person.ask(setEnabledBulk, { accountUUIDs, accountEnabled: true })
  const refused = await person.call(setEnabledBulk, off, keyed())
  expect([refused.status, refused.errorType]).toEqual([429, 'TOO_MANY_KEYS'])
  expect(refused.envelope.response.error?.errorContent[0]).toContain('10000')
  expect(await person.ask(setEnabledBulk, off, key)).toEqual(first)
  expect((await person.call(setEnabledBulk, off)).status).toBe(200)
  product.clock.advance(25 * 3_600_000)
  const nextDay = await product.again(person)
  expect((await nextDay.call(setEnabledBulk, { accountUUIDs, accountEnabled: true }, keyed())).status).toBe(
    200,
  )
})

test('the keys of purchases are neither limited nor counted', async () => {
  const { person, accountUUIDs } = await withAccount()
  await fillKeys(person, limits.keysPerUser)
  const [accountUUID = ''] = accountUUIDs
  const renewal = { accountUUID, accountDuration: 1 }
  const key = keyed()
  const first = await person.ask(extendDuration, renewal, key)
  expect(await person.ask(extendDuration, renewal, key)).toEqual(first)
  expect((await person.call(newAccount, directAccount, keyed())).status).toBe(200)

  const buyer = await withAccount()
  await fillKeys(buyer.person, limits.keysPerUser, '0 seconds', accountUUID)
  const off = { accountUUIDs: buyer.accountUUIDs, accountEnabled: false }
  expect((await buyer.person.call(setEnabledBulk, off, keyed())).status).toBe(200)
})

test('the acts of administrators count too, and keys that have had their day do not', async () => {
  const admin = await product.person({ level: 10 })
  const { email: userEmail } = await product.person()
  const gift = { userEmail, amount: 1, reason: 'bank transfer' }
  await fillKeys(admin, limits.keysPerUser, '25 hours')
  expect((await admin.call(adjustUserCredit, gift, keyed())).status).toBe(200)
  await fillKeys(admin, limits.keysPerUser)
  expect(await admin.refusal(adjustUserCredit, gift, keyed())).toBe('TOO_MANY_KEYS')
  expect(await admin.refusal(settleKey, { idempotencyKey: randomUUID() })).toBe('TOO_MANY_KEYS')
  expect((await admin.call(adjustUserCredit, gift)).status).toBe(200)
})
