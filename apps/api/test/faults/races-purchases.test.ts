import { randomUUID } from 'node:crypto'
import {
  addPlan,
  changePlan,
  defaultSettings,
  deleteAccount,
  deletePlan,
  extendBulk,
  extendDuration,
  getUserAccounts,
  getUserCredit,
  newAccount,
  newByPlan,
  quoteAccount,
  quoteBulk,
  quoteByPlan,
  renewByPlan,
  setEnabled,
  setPlanActive,
  setSettings,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import type { Person } from '../product.ts'
import { directAccount, samplePlan } from '../sample-hosts.ts'
import { scale, seedOf } from '../scale.ts'
import {
  chargesOf,
  expectSoundBooks,
  type Outcome,
  parallel,
  race,
  racedForAllTests,
  tally,
  together,
} from './races.ts'
import { random } from './random.ts'

const product = racedForAllTests()
beforeAll(() => product.server({ serverMaxAccounts: 100_000 }))

const aDay = { ...directAccount, accountDuration: 1 }
const buyer = () => product.person({ points: 100_000 })
const buy = (person: Person) => person.call(newAccount, aDay)
const accountOf = async (person: Person) => (await buy(person)).answer().accountUUID

async function changePrices(): Promise<void> {
  for (const price of [10, 7, 3, 10, 8])
    await product.admin.call(setSettings, {
      pointsPerDay: { ...defaultSettings.pointsPerDay, 'hysteria2-direct': price },
    })
}

const { pick } = random(seedOf('delete, renew and disable'))

race('an account that is deleted, renewed and switched at once is charged correctly', async () => {
  const user = await buyer()
  const accountUUID = await accountOf(user)
  const deeds: Record<'delete' | 'renew' | 'disable' | 'enable', () => Promise<Outcome>> = {
    delete: () => user.call(deleteAccount, { accountUUID }),
    renew: () => user.call(extendDuration, { accountUUID, accountDuration: 2 }),
    disable: () => user.call(setEnabled, { accountUUID, accountEnabled: false }),
    enable: () => user.call(setEnabled, { accountUUID, accountEnabled: true }),
  }
  const names = Array.from({ length: parallel }, () =>
    pick(['renew', 'renew', 'disable', 'enable', 'delete'] as const),
  )
  names[parallel - 1] = 'delete'
  const replies = await together((index) => deeds[names[index] ?? 'delete']())
  tally(replies)
  const done = (name: keyof typeof deeds) =>
    replies.filter(({ status }, index) => names[index] === name && status === 200).length
  expect(done('delete')).toBe(1)
  for (const { status, errorType } of replies)
    if (status !== 200) expect(errorType).toBe('RESOURCE_NOT_FOUND')
  const { userCredit } = await user.ask(getUserCredit, {})
  expect(userCredit).toBe(100_000 - 10 - done('renew') * 2 * 10)
})

test('places that are given back and taken at once come out even', async () => {
  const user = await buyer()
  let owned = await together(() => accountOf(user))
  for (let round = 0; round < scale(2, 20); round += 1) {
    const [deleted, kept] = [owned.slice(0, parallel / 2), owned.slice(parallel / 2)]
    const replies = await together((index): Promise<Outcome> => {
      const accountUUID = deleted[index]
      return accountUUID ? user.call(deleteAccount, { accountUUID }) : buy(user)
    })
    expect(tally(replies)).toEqual({ done: parallel })
    const bought = replies.slice(deleted.length) as Awaited<ReturnType<typeof buy>>[]
    owned = [...kept, ...bought.map((reply) => reply.answer().accountUUID)]
  }
  const { items } = await user.ask(getUserAccounts, {})
  expect(items.map(({ accountUUID }) => accountUUID).sort()).toEqual(owned.sort())
  await expectSoundBooks(product.ctx.db)
})

race('a buyer pays what was quoted, or is refused, while the price changes', async () => {
  const user = await buyer()
  const changing = changePrices()
  const replies = await together(async () => {
    const { accountVPNType, accountTunnelType, accountDuration } = aDay
    const ask = { accountVPNType, accountTunnelType, accountDuration }
    const { quotePoints } = await user.ask(quoteAccount, ask)
    return { quotePoints, reply: await user.call(newAccount, { ...aDay, quotedPoints: quotePoints }) }
  })
  await changing
  const { done = 0, QUOTE_CHANGED: refused = 0, ...others } = tally(replies.map(({ reply }) => reply))
  expect({ all: done + refused, others }).toEqual({ all: replies.length, others: {} })
  const quoted = replies.flatMap(({ quotePoints, reply }) =>
    reply.errorType ? [] : [[reply.answer().accountUUID, quotePoints]],
  )
  expect((await chargesOf(product, user, 'create')).sort()).toEqual(quoted.sort())
  await expectSoundBooks(product.ctx.db)
})

race('a buyer pays what was quoted for a plan, or is refused, while the plan changes and ends', async () => {
  const user = await product.person({ points: 100_000 })
  const planUUID = randomUUID()
  const plan = { ...samplePlan, planUUID }
  await product.admin.ask(addPlan, { ...plan, planActive: true })
  const accountUUIDs = await together(
    async () => (await user.ask(newByPlan, { accountName: 'ali', planUUID })).accountUUID,
    parallel / 2,
  )
  const changing = (async () => {
    for (const planPoints of [10, 7, 3, 10, 8]) {
      await product.admin.ask(changePlan, { ...plan, planPoints })
      await product.admin.ask(setPlanActive, { planUUID, planActive: planPoints !== 3 })
    }
  })()
  const replies = await together(async (index) => {
    const accountUUID = accountUUIDs[index]
    const ask = accountUUID ? { accountUUID, planUUID } : { planUUID }
    const quote = await user.call(quoteByPlan, ask)
    if (quote.errorType) return { quotePoints: 0, reply: quote }
    const { quotePoints, planRevision: quotedPlanRevision } = quote.answer()
    const reply = accountUUID
      ? await user.call(renewByPlan, { accountUUID, planUUID, quotedPlanRevision })
      : await user.call(newByPlan, { accountName: 'ali', planUUID, quotedPlanRevision })
    return { quotePoints, reply }
  })
  await changing
  const {
    done = 0,
    QUOTE_CHANGED: changed = 0,
    PLAN_NOT_SOLD: ended = 0,
    ...others
  } = tally(replies.map(({ reply }) => reply))
  expect({ all: done + changed + ended, others }).toEqual({ all: replies.length, others: {} })
  const quoted = replies.reduce((sum, { quotePoints, reply }) => sum + (reply.errorType ? 0 : quotePoints), 0)
  const { userCredit } = await user.ask(getUserCredit, {})
  expect(userCredit).toBe(100_000 - accountUUIDs.length * samplePlan.planPoints - quoted)
  await product.admin.ask(deletePlan, { planUUID })
  await expectSoundBooks(product.ctx.db)
})

race('a bulk renewal charges every account the price that was quoted', async () => {
  const user = await product.person({ points: 1_000_000 })
  const accountUUIDs = await together(() => accountOf(user), 10)
  const ask = { accountUUIDs, accountDuration: 1 }
  const changing = changePrices()
  const replies = await together(async () => {
    const { quotePoints } = await user.ask(quoteBulk, ask)
    return { quotePoints, reply: await user.call(extendBulk, { ...ask, quotedPoints: quotePoints }) }
  }, 20)
  await changing
  tally(replies.map(({ reply }) => reply))
  const done = replies.filter(({ reply }) => !reply.errorType)
  const charges = await chargesOf(product, user, 'renew')
  expect(charges).toHaveLength(done.length * accountUUIDs.length)
  const charged = charges.reduce((sum, [, amount]) => sum + Number(amount), 0)
  expect(charged).toBe(done.reduce((sum, { quotePoints }) => sum + quotePoints, 0))
})
