import {
  adjustUserCredit,
  day,
  deleteAnyAccount,
  extendDuration,
  getAccount,
  getAnyAccount,
  getAnyAccounts,
  getUserDetail,
  giftDays,
  moveAccount,
  newAccount,
  setEnabled,
  setUserLevel,
  setUserSuspended,
  signIn,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import type { Person } from '../product.ts'
import { directAccount } from '../sample-hosts.ts'
import { scale } from '../scale.ts'
import { somebody } from '../security/callers.ts'
import { samplePassword } from '../security/samples.ts'
import { inTurn, type Outcome, parallel, race, racedForAllTests, tally, together } from './races.ts'

const rounds = scale(2, 20)
const reason = 'for the test'

const product = racedForAllTests()
let admin: Person
let server: string
beforeAll(async () => {
  admin = product.admin
  server = await product.server({ serverMaxAccounts: 10_000 })
})

const buyer = () => product.person({ points: 1_000_000 })
const buy = (person: Person, days = 1) => person.call(newAccount, { ...directAccount, accountDuration: days })
const suspend = ({ email: userEmail }: Person) =>
  admin.call(setUserSuspended, { userEmail, userSuspended: true, closeAccounts: true, reason })
const sessionsOf = async ({ id }: Person) =>
  (await product.sql('SELECT FROM sessions WHERE user_id = $1', id)).length

race('one of 50 administrators who saw the same balance changes it', async () => {
  const { email: userEmail } = await product.person({ points: 7 })
  const replies = await together(() =>
    admin.call(adjustUserCredit, { userEmail, amount: 1, reason, basedOn: 7 }),
  )
  expect(tally(replies)).toEqual({ done: 1, CHANGED_MEANWHILE: parallel - 1 })
})

race('a user who signs in while being suspended has no session afterwards', async () => {
  const person = await somebody(product, 1)
  const credentials = { email: person.email, password: samplePassword }
  const [, ...entering] = await Promise.all([
    suspend(person),
    ...Array.from({ length: 4 }, () => product.call(signIn, credentials)),
  ])
  for (const type of Object.keys(tally(entering))) expect(['done', 'ACCOUNT_SUSPENDED']).toContain(type)
  expect(await sessionsOf(person)).toBe(0)
})

test('signing in that waits behind the suspension is refused', async () => {
  const person = await somebody(product, 1)
  const credentials = { email: person.email, password: samplePassword }
  const [suspended, entering] = await inTurn<Outcome>(product, person, [
    () => suspend(person),
    () => product.call(signIn, credentials),
  ])
  expect([suspended?.status, entering?.errorType]).toEqual([200, 'ACCOUNT_SUSPENDED'])
  expect(await sessionsOf(person)).toBe(0)
})

test('a call that waits behind the suspension of its user is refused', async () => {
  const person = await buyer()
  const { accountUUID } = (await buy(person)).answer()
  const before = await admin.ask(getUserDetail, { userEmail: person.email })
  const [suspended, ...refused] = await inTurn<Outcome>(product, person, [
    () => suspend(person),
    () => buy(person),
    () => person.call(setEnabled, { accountUUID, accountEnabled: true }),
    () => person.call(extendDuration, { accountUUID, accountDuration: 3 }),
  ])
  expect(suspended?.status).toBe(200)
  expect(tally(refused)).toEqual({ UNAUTHENTICATED: 3 })
  const after = await admin.ask(getUserDetail, { userEmail: person.email })
  expect([after.userCredit, after.accounts]).toEqual([before.userCredit, 1])
  expect((await admin.ask(getAnyAccount, { accountUUID })).accountEnabled).toBe(false)
})

race('a user who buys while being suspended has paid, and has no open account', async () => {
  const person = await buyer()
  const buying = together(() => buy(person), 20)
  const suspended = suspend(person)
  const { done = 0, ...refused } = tally(await buying)
  expect(Object.keys(refused).filter((type) => type !== 'UNAUTHENTICATED')).toEqual([])
  expect((await suspended).status).toBe(200)
  const { email: userEmail } = person
  const list = await admin.ask(getAnyAccounts, { userEmail, limit: 200 })
  expect(list.items).toHaveLength(done)
  expect(list.items.filter(({ accountEnabled }) => accountEnabled)).toEqual([])
  const { userCredit } = await admin.ask(getUserDetail, { userEmail })
  expect(userCredit).toBe(1_000_000 - 10 * done)
})

race('gifts and renewals of one account at once all count', async () => {
  const person = await buyer()
  const { accountUUID, accountExpireDate } = (await buy(person)).answer()
  const replies = await together<Outcome>(
    (index) =>
      index % 2
        ? person.call(extendDuration, { accountUUID, accountDuration: 2 })
        : admin.call(giftDays, { accountUUID, accountDuration: 1, reason }),
    20,
  )
  expect(tally(replies)).toEqual({ done: 20 })
  const account = await person.ask(getAccount, { accountUUID })
  expect(Date.parse(account.accountExpireDate) - Date.parse(accountExpireDate)).toBe(30 * day)
  const { userCredit } = await admin.ask(getUserDetail, { userEmail: person.email })
  expect(userCredit).toBe(1_000_000 - 10 - 10 * 20)
})

race('a server that others buy on takes moved accounts up to its limit', async () => {
  const person = await buyer()
  const owned: string[] = []
  for (let count = 0; count < 10; count += 1) owned.push((await buy(person)).answer().accountUUID)
  const small = await product.server({ serverMaxAccounts: 3 })
  const replies = await together<Outcome>(
    (index) =>
      index % 2
        ? buy(person)
        : admin.call(moveAccount, { accountUUID: owned[index / 2] ?? '', toServerUUID: small }),
    20,
  )
  for (const type of Object.keys(tally(replies))) expect(['done', 'NO_ROOM']).toContain(type)
  const { total } = await admin.ask(getAnyAccounts, { serverUUID: small, limit: 1 })
  expect(total).toBe(3)
  await product.sql(`UPDATE servers SET state = 'failed' WHERE uuid = $1`, small)
})

test('accounts that are moved, renewed and deleted at once match the places taken', async () => {
  const other = await product.server({ serverMaxAccounts: 10_000 })
  const person = await buyer()
  const owned: string[] = []
  for (let count = 0; count < 20; count += 1) owned.push((await buy(person)).answer().accountUUID)
  const replies = await together<Outcome>((index) => {
    const accountUUID = owned[index % 20] ?? ''
    if (index % 5 === 4) return admin.call(deleteAnyAccount, { accountUUID, reason })
    if (index % 5 === 3) return person.call(extendDuration, { accountUUID, accountDuration: 1 })
    return admin.call(moveAccount, { accountUUID, toServerUUID: index % 2 ? server : other })
  })
  for (const type of Object.keys(tally(replies)))
    expect(['done', 'RESOURCE_NOT_FOUND', 'NOT_THE_SAME_KIND']).toContain(type)
})

test('one of two last administrators remains when they suspend or demote each other and themselves at once', async () => {
  await product.sql('UPDATE users SET level = 1 WHERE level > 5')
  const pair = [await product.person({ level: 10 }), await product.person({ level: 10 })] as const
  for (let round = 0; round < rounds; round += 1) {
    await product.sql(
      `UPDATE users SET level = 10, suspended_at = NULL, suspended_reason = '', accounts_closed = false
       WHERE id IN ($1, $2)`,
      ...pair.map(({ id }) => id),
    )
    const [one, other] = [await product.again(pair[0]), await product.again(pair[1])]
    const replies = await together<Outcome>((index) => {
      const [by, who] = index % 2 ? [one, other] : [other, one]
      if (index % 8 > 5) return by.call(setUserLevel, { userEmail: by.email, value: 1 })
      return index % 4 < 2
        ? by.call(setUserLevel, { userEmail: who.email, value: 1 })
        : by.call(setUserSuspended, { userEmail: who.email, userSuspended: true, reason })
    })
    const { done, ...refused } = tally(replies)
    expect(done).toBeGreaterThan(0)
    for (const type of Object.keys(refused))
      expect(['LAST_ADMIN', 'UNAUTHENTICATED', 'ACCESS_DENIED']).toContain(type)
    const left = 'SELECT FROM users WHERE level > 5 AND suspended_at IS NULL'
    expect(await product.sql(left)).toHaveLength(1)
  }
})
