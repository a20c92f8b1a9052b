import { day, extendDuration, getAccount, getUserAccounts, getUserCredit, newAccount } from '@kelid/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type Person, productForAllTests } from '../product.ts'
import { directAccount } from '../sample-hosts.ts'

const hour = 3_600_000
const start = new Date('2026-03-01T12:00:00.000Z')

const product = productForAllTests()
beforeAll(() => product.server({ serverMaxAccounts: 100_000 }))
beforeEach(async () => {
  product.clock.set(start)
  await product.settings({ renewal: 'extend' })
})

/** A user with one account of this many days and a session that does not depend on the clock. */
async function owner(days: number) {
  let user: Person = await product.person({ points: 1_000_000 })
  const { accountUUID } = await user.ask(newAccount, { ...directAccount, accountDuration: days })
  const inSession = async () => {
    user = await product.again(user)
    return user
  }
  return {
    account: async () => (await inSession()).ask(getAccount, { accountUUID }),
    points: async () => (await (await inSession()).ask(getUserCredit, {})).userCredit,
    expiredOnes: async () =>
      (await (await inSession()).ask(getUserAccounts, { state: 'expired' })).items.length,
    renew: async (accountDuration: number) =>
      (await inSession()).ask(extendDuration, { accountUUID, accountDuration }),
  }
}

const after = (milliseconds: number) => new Date(start.getTime() + milliseconds).toISOString()

test('accountDuration counts the begun day, is 0 from the moment of expiry on, and never less', async () => {
  const mine = await owner(2)
  const at = async (milliseconds: number) => {
    product.clock.set(new Date(start.getTime() + milliseconds))
    const { accountDuration, accountState } = await mine.account()
    expect(await mine.expiredOnes()).toBe(accountState === 'expired' ? 1 : 0)
    return [accountDuration, accountState]
  }
  expect(await at(0)).toEqual([2, 'active'])
  expect(await at(1)).toEqual([2, 'active'])
  expect(await at(day - 1)).toEqual([2, 'active'])
  expect(await at(day)).toEqual([1, 'active'])
  expect(await at(2 * day - 1)).toEqual([1, 'active'])
  expect(await at(2 * day)).toEqual([0, 'expired'])
  expect(await at(900 * day)).toEqual([0, 'expired'])
})

test('a clock that jumps back and forth changes what remains, never when the account ends or what it cost', async () => {
  const mine = await owner(30)
  const points = await mine.points()
  for (const jump of [400 * day, -399 * day, -3 * 365 * day, 1, 5 * hour, 3 * 365 * day]) {
    product.clock.advance(jump)
    const { accountExpireDate } = await mine.account()
    expect(accountExpireDate).toBe(after(30 * day))
    expect(await mine.points()).toBe(points)
  }
})

test('renewing while the clock is set back adds to the expiry and never shortens it', async () => {
  const mine = await owner(5)
  const points = await mine.points()
  product.clock.advance(-2 * day)
  expect(await mine.renew(1)).toMatchObject({ accountExpireDate: after(6 * day), accountDuration: 8 })
  expect(await mine.points()).toBe(points - 10)
})

test.each([
  ['a leap day', '2028-02-28T23:59:59.999Z', 2, '2028-03-01T23:59:59.999Z'],
  ['a February without one', '2027-02-28T12:00:00.000Z', 1, '2027-03-01T12:00:00.000Z'],
  ['the end of a year', '2026-12-31T23:30:00.000Z', 1, '2027-01-01T23:30:00.000Z'],
  ['the hour that Berlin skips', '2026-03-28T12:00:00.000Z', 2, '2026-03-30T12:00:00.000Z'],
  ['the hour that New York repeats', '2026-10-31T05:30:00.000Z', 2, '2026-11-02T05:30:00.000Z'],
  ['Nowruz, when Iran used to move its clocks', '2026-03-20T20:30:00.000Z', 364, '2027-03-19T20:30:00.000Z'],
])('over %s a day is 86,400 seconds', async (_, from, days, to) => {
  product.clock.set(new Date(from))
  const mine = await owner(1)
  expect((await mine.account()).accountExpireDate).toBe(new Date(Date.parse(from) + 86_400_000).toISOString())
  const other = await owner(days)
  expect((await other.account()).accountExpireDate).toBe(to)
})
