import { randomUUID } from 'node:crypto'
import {
  adjustUserCredit,
  type Call,
  calls,
  clearAbuseBulk,
  day,
  extendDuration,
  getUserCredit,
  moveHostAccounts,
  newAccount,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { purgeKeys } from '../../src/features/idempotency/idempotency.ts'
import type { Person } from '../product.ts'
import { directAccount } from '../sample-hosts.ts'
import { sampleCall, somebody, targetFor } from '../security/callers.ts'
import { parallel, race, racedForAllTests, tally, together } from './races.ts'

const aDay = { ...directAccount, accountDuration: 1 }

const product = racedForAllTests()
beforeAll(() => product.server({ serverMaxAccounts: 100_000 }))

const withKey = (key: string) => ({ 'idempotency-key': key })
const newKey = () => randomUUID()

const pointsOf = async (user: Person) => (await user.ask(getUserCredit, {})).userCredit

async function accountsOf(user: Person): Promise<number> {
  return (await product.sql('SELECT FROM accounts WHERE user_id = $1', user.id)).length
}

race('50 purchases with one key create and charge one account and get the same reply', async () => {
  const user = await product.person({ points: 1_000 })
  const key = newKey()
  const replies = await together(() => user.call(newAccount, aDay, withKey(key)))
  expect(tally(replies)).toEqual({ done: parallel })
  expect(new Set(replies.map(({ envelope }) => JSON.stringify(envelope))).size).toBe(1)
  expect([await accountsOf(user), await pointsOf(user)]).toEqual([1, 990])
})

/** Repeated elsewhere, because their samples change nothing: moving.test.ts and hostile.test.ts of the nodes. */
const unchanging: readonly Call[] = [moveHostAccounts, clearAbuseBulk]
const idempotent = calls.filter((call) => call.idempotent && !unchanging.includes(call))

/** The same request but for one field that counts. */
function otherThan(body: object): object {
  const changes = {
    ...{ accountDuration: 9, accountDataLimit: 9, amount: 7, days: 9, accountEnabled: true },
    ...{ accountUUIDs: [randomUUID()], planUUID: randomUUID() },
  }
  const [name, value] = Object.entries(changes).find(([field]) => field in body) ?? []
  return { ...body, [name ?? 'nothing to change']: value }
}

test.each(idempotent.map((call) => [call.path, call as Call] as const))(
  '%s is executed once under one key, and the key refuses another body',
  async (_, call) => {
    const [person, stranger] = [await somebody(product, 6), await somebody(product, 6)]
    const { body } = await sampleCall(product, call, person, stranger)
    if ('accountUUIDs' in body)
      body.accountUUIDs = [await targetFor(product, { person, stranger }, 'accountUUID', 'own')]
    if ('planUUID' in body) body.planUUID = await targetFor(product, { person, stranger }, 'planUUID', 'own')
    const key = withKey(newKey())
    const replies = await together(() => person.call(call, body as never, key), 20)
    expect(tally(replies)).toEqual({ done: 20 })
    expect(new Set(replies.map(({ envelope }) => JSON.stringify(envelope))).size).toBe(1)
    expect(await person.refusal(call, otherThan(body) as never, key)).toBe('KEY_REUSED')
  },
)

race('of two bodies with one key one is executed once and the other refused', async () => {
  const user = await product.person({ points: 1_000 })
  const key = newKey()
  const replies = await together((index) =>
    user.call(newAccount, { ...aDay, accountName: `number_${index % 2}` }, withKey(key)),
  )
  expect(tally(replies)).toEqual({ done: parallel / 2, KEY_REUSED: parallel / 2 })
  expect([await accountsOf(user), await pointsOf(user)]).toEqual([1, 990])
})

test('a key of one call is refused for another, and two users may have the same', async () => {
  const [one, other] = [await product.person({ points: 100 }), await product.person({ points: 100 })]
  const key = newKey()
  const { accountUUID } = await one.ask(newAccount, aDay, withKey(key))
  const renewal = { accountUUID, accountDuration: 1 }
  expect(await one.refusal(extendDuration, renewal, withKey(key))).toBe('KEY_REUSED')
  expect((await other.ask(newAccount, aDay, withKey(key))).accountUUID).not.toBe(accountUUID)
})

race('a refused request leaves the key free, however many tried at once', async () => {
  const user = await product.person({ points: 9 })
  const key = newKey()
  const buy = () => user.call(newAccount, aDay, withKey(key))
  expect(tally(await together(buy))).toEqual({ INSUFFICIENT_CREDIT: parallel })
  await product.admin.call(adjustUserCredit, { userEmail: user.email, amount: 100, reason: 'paid' })
  expect(tally(await together(buy))).toEqual({ done: parallel })
  expect([await accountsOf(user), await pointsOf(user)]).toEqual([1, 99])
})

test('a key is kept for 24 hours, not a moment less, and is free after', async () => {
  const user = await product.person({ points: 1_000 })
  const key = newKey()
  const buy = async () => {
    const again = await product.again(user)
    return (await again.ask(newAccount, aDay, withKey(key))).accountUUID
  }
  const first = await buy()
  product.clock.advance(day)
  await purgeKeys(product.ctx)
  expect(await buy()).toBe(first)
  product.clock.advance(1)
  const replies = await together(buy)
  expect(new Set(replies).size).toBe(1)
  expect(replies[0]).not.toBe(first)
  product.clock.advance(day + 1)
  await purgeKeys(product.ctx)
  expect(await accountsOf(user)).toBe(2)
  expect(await product.sql('SELECT key FROM idempotency_keys')).toEqual([])
})
