import {
  adjustUserCredit,
  getUserCredit,
  getUserDebt,
  newAccount,
  setUserDebtLimit,
  setUserRate,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import type { Person } from '../product.ts'
import { directAccount, trojanServer, tunnelledAccount } from '../sample-hosts.ts'
import { scale } from '../scale.ts'
import { type Outcome, parallel, places, race, racedForAllTests, tally, together } from './races.ts'

const rounds = scale(2, 20)
const aDay = { ...directAccount, accountDuration: 1 }
const pointsADay = 10

const product = racedForAllTests()
beforeAll(async () => {
  await product.server({ serverMaxAccounts: 100_000 })
  await product.server({ ...trojanServer(), serverMaxAccounts: 100_000 })
  await product.tunnel({ tunnelMaxAccounts: 100_000 })
})

/** Entries of points in the order they were written, each with the balance that it left. */
const entries = `SELECT amount, balance FROM ledger_entries WHERE user_id = $1 AND unit = 'points' ORDER BY id`

async function expectUnbroken(user: Person): Promise<void> {
  let balance = 0
  for (const entry of await product.sql(entries, user.id)) {
    balance += entry.amount
    expect(entry.balance).toBe(balance)
  }
  expect((await user.ask(getUserCredit, {})).userCredit).toBe(balance)
}

race('credit for 17 accounts buys 17 of 50, and every entry says the balance that it left', async () => {
  const user = await product.person({ points: places * pointsADay + 9 })
  expect(tally(await together(() => user.call(newAccount, aDay)))).toEqual({
    done: places,
    INSUFFICIENT_CREDIT: parallel - places,
  })
  expect((await user.ask(getUserCredit, {})).userCredit).toBe(9)
  await expectUnbroken(user)
})

race('tunnel credit for 17 accounts buys 17 of 50', async () => {
  const user = await product.person({ points: 10_000, tunnelCredit: places })
  const buy = () => user.call(newAccount, { ...tunnelledAccount, accountDuration: 1 })
  expect(tally(await together(buy))).toEqual({
    done: places,
    INSUFFICIENT_TUNNEL_CREDIT: parallel - places,
  })
  const { userCredit, userTunnelCredit } = await user.ask(getUserCredit, {})
  expect([userCredit, userTunnelCredit]).toEqual([10_000 - places * pointsADay, 0])
})

test('a debt limit for 17 accounts is not passed by 50, with cents rounded up one by one', async () => {
  const pointsPerDollar = 300
  const centsEach = Math.ceil((pointsADay * 100) / pointsPerDollar)
  for (let round = 0; round < rounds; round += 1) {
    const user = await product.person()
    const { email: userEmail } = user
    await product.admin.call(setUserRate, { userEmail, userCustomCreditRate: pointsPerDollar })
    await product.admin.call(setUserDebtLimit, { userEmail, value: (places * centsEach + 1) / 100 })
    expect(tally(await together(() => user.call(newAccount, aDay)))).toEqual({
      done: places,
      INSUFFICIENT_CREDIT: parallel - places,
    })
    expect((await user.ask(getUserDebt, {})).userDebt).toBe((places * centsEach) / 100)
    await expectUnbroken(user)
  }
})

race('a debt limit that is removed in the middle stops the buying', async () => {
  const user = await product.person({ debtLimit: 1_000 })
  const lower = () => product.admin.call(setUserDebtLimit, { userEmail: user.email, value: 0 })
  const replies = await together(
    (index): Promise<Outcome> => (index === 20 ? lower() : user.call(newAccount, aDay)),
  )
  const { done = 0, INSUFFICIENT_CREDIT: refused = 0 } = tally(replies)
  expect(done + refused).toBe(parallel)
  expect(await user.ask(getUserDebt, {})).toEqual({
    userDebt: ((done - 1) * pointsADay) / 100,
    userDebtLimit: 0,
    userDebtLeft: 0,
  })
  expect(await user.refusal(newAccount, aDay)).toBe('INSUFFICIENT_CREDIT')
})

race('corrections by an administrator and purchases at once leave what they add up to', async () => {
  const user = await product.person({ points: 100 })
  const correct = (amount: number) =>
    product.admin.call(adjustUserCredit, { userEmail: user.email, amount, reason: 'a race' })
  const corrections = (index: number) => (index % 4 === 1 ? 15 : -20)
  const isPurchase = (index: number) => index % 2 === 0
  const replies = await together(
    (index): Promise<Outcome> =>
      isPurchase(index) ? user.call(newAccount, aDay) : correct(corrections(index)),
  )
  expect(Object.keys(tally(replies)).sort()).toEqual(['INSUFFICIENT_CREDIT', 'done'])
  const moved = replies.map(({ status }, index) => {
    if (status !== 200) return 0
    return isPurchase(index) ? -pointsADay : corrections(index)
  })
  const { userCredit } = await user.ask(getUserCredit, {})
  expect(userCredit).toBe(moved.reduce((sum, amount) => sum + amount, 100))
  await expectUnbroken(user)
})
