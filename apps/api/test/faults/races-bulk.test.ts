import { randomUUID } from 'node:crypto'
import {
  deleteAccount,
  deleteBulk,
  extendBulk,
  extendDuration,
  getUserAccounts,
  getUserCredit,
  newAccount,
  setEnabledBulk,
} from '@kelid/contract'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Person } from '../product.ts'
import { trojanServer, tunnelledAccount } from '../sample-hosts.ts'
import { scale } from '../scale.ts'
import { expectSoundBooks, race, racedForAllTests, tally, together } from './races.ts'

const rounds = scale(2, 20)
const aDay = { ...tunnelledAccount, accountDuration: 1 }

const product = racedForAllTests()
beforeAll(async () => {
  // Small enough that creations wait for hosts that fill up, while others give several back at once.
  for (let number = 0; number < 4; number += 1) {
    await product.server({ ...trojanServer(), serverMaxAccounts: 25 })
    await product.tunnel({ tunnelMaxAccounts: 25 })
  }
})

const buy = (person: Person, count: number) =>
  together(async () => (await person.ask(newAccount, aDay)).accountUUID, count)

test('a bulk renewal whose connection is cut is done once or not at all under the same key', async () => {
  const cut = () =>
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle in transaction'`
      .execute(product.ctx.db)
      .catch(() => {})
  let cuts = 0
  for (let round = 0; round < rounds; round += 1) {
    const person = await product.person({ points: 10_000, tunnelCredit: 10_000 })
    const accountUUIDs = await buy(person, 20)
    const key = { 'idempotency-key': randomUUID() }
    const ask = () => person.call(extendBulk, { accountUUIDs, accountDuration: 3 }, key)
    for (let turn = 0; turn < 3; turn += 1) {
      let isAnswered = false
      const reply = ask().finally(() => {
        isAnswered = true
      })
      while (!isAnswered) await cut()
      const { errorType } = await reply
      expect([undefined, 'UNAVAILABLE', 'OUTCOME_UNKNOWN']).toContain(errorType)
      if (errorType) cuts += 1
    }
    expect((await ask()).status).toBe(200)
    const { userCredit } = await person.ask(getUserCredit, {})
    expect(userCredit).toBe(10_000 - 20 * 10 - 20 * 30)
    await person.call(deleteBulk, { accountUUIDs })
  }
  expect(cuts).toBeGreaterThan(0)
  await expectSoundBooks(product.ctx.db)
})

race('many changes at once on nearly full hosts cause no deadlock, and the books agree', async () => {
  const people = await Promise.all(
    Array.from({ length: 6 }, () => product.person({ points: 10_000, tunnelCredit: 10_000 })),
  )
  const theirs = await Promise.all(people.map((person) => buy(person, 14)))
  const replies = await Promise.all(
    people.flatMap((person, index) => {
      const all = theirs[index] ?? []
      const backwards = [...all].reverse()
      const [first = '', last = ''] = [all.at(0), all.at(-1)]
      return [
        person.call(extendBulk, { accountUUIDs: all, accountDuration: 1 }),
        person.call(setEnabledBulk, { accountUUIDs: backwards, accountEnabled: false }),
        person.call(deleteBulk, { accountUUIDs: all.slice(0, 10) }),
        person.call(deleteBulk, { accountUUIDs: backwards.slice(0, 10) }),
        person.call(extendDuration, { accountUUID: last, accountDuration: 1 }),
        person.call(deleteAccount, { accountUUID: first }),
        ...Array.from({ length: 8 }, () => person.call(newAccount, aDay)),
      ]
    }),
  )
  const { done = 0, NO_CAPACITY = 0, RESOURCE_NOT_FOUND = 0, ...others } = tally(replies)
  expect({ all: done + NO_CAPACITY + RESOURCE_NOT_FOUND, others }).toEqual({
    all: replies.length,
    others: {},
  })
  await expectSoundBooks(product.ctx.db)
  for (const person of people) {
    const left = (await person.ask(getUserAccounts, {})).items
    if (left.length > 0)
      await person.call(deleteBulk, { accountUUIDs: left.map(({ accountUUID }) => accountUUID) })
  }
  await expectSoundBooks(product.ctx.db)
})
