import { deleteAccount, extendDuration, getUserCredit, newAccount, setEnabled } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { directAccount } from '../product.ts'
import { scale, seedOf } from '../scale.ts'
import { type Outcome, openRaced, parallel, type RacedProduct, tally, together } from './races.ts'
import { random } from './random.ts'

const rounds = scale(2, 20)

let product: RacedProduct
beforeAll(async () => {
  product = await openRaced()
  await product.server({ serverMaxAccounts: 100_000 })
})
afterAll(() => product.close())

test('delete, renew and disable of one account at once: gone once, charged for the renewals that happened', async () => {
  const { pick } = random(seedOf('delete, renew and disable'))
  for (let round = 0; round < rounds; round += 1) {
    const user = await product.person({ points: 100_000 })
    const { accountUUID } = (await user.call(newAccount, { ...directAccount, accountDuration: 1 })).answer()
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
    expect((await user.call(getUserCredit, {})).answer().userCredit).toBe(
      100_000 - 10 - done('renew') * 2 * 10,
    )
  }
})

test('places given back and taken at once come out even', async () => {
  const user = await product.person({ points: 100_000 })
  const buy = () => user.call(newAccount, { ...directAccount, accountDuration: 1 })
  let owned = (await together(buy)).map((reply) => reply.answer().accountUUID)
  for (let round = 0; round < rounds; round += 1) {
    const [gone, kept] = [owned.slice(0, parallel / 2), owned.slice(parallel / 2)]
    const replies = await together((index): Promise<Outcome> => {
      const accountUUID = gone[index]
      return accountUUID ? user.call(deleteAccount, { accountUUID }) : buy()
    })
    expect(tally(replies)).toEqual({ done: parallel })
    const bought = replies.slice(gone.length) as Awaited<ReturnType<typeof buy>>[]
    owned = [...kept, ...bought.map((reply) => reply.answer().accountUUID)]
  }
  const [server] = await product.ctx.db.selectFrom('servers').select('accounts').execute()
  expect(server?.accounts).toBe(parallel)
})
