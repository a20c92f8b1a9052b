import { day, deleteAccount, extendDuration, getActivity, newAccount, setEnabled } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'

const product = productForAllTests()
beforeAll(() => product.server())

test('purchases are counted by UTC day, also of deleted accounts; expiries are counted by their day', async () => {
  product.clock.set(new Date('2026-03-10T23:59:59.999Z'))
  const person = await product.person({ points: 100_000 })
  let buyer = await product.again(person)
  const buy = async (accountDuration: number) =>
    (await buyer.ask(newAccount, { ...directAccount, accountDuration })).accountUUID
  const gone = await buy(5)
  await buyer.call(deleteAccount, { accountUUID: gone })
  product.clock.advance(1)
  const kept = await buy(1)
  await buyer.ask(extendDuration, { accountUUID: kept, accountDuration: 2 })

  product.clock.set(new Date('2026-03-12T08:00:00Z'))
  buyer = await product.again(person)
  await buy(30)
  await buy(29)
  const off = await buy(10)
  await buyer.call(setEnabled, { accountUUID: off, accountEnabled: false })

  const admin = await product.again(product.admin)
  const { days, expiring } = await admin.ask(getActivity, { days: 3 })
  expect(days).toEqual([
    { day: '2026-03-10', created: 1, renewed: 0, pointsSold: 50 },
    { day: '2026-03-11', created: 1, renewed: 1, pointsSold: 30 },
    { day: '2026-03-12', created: 3, renewed: 0, pointsSold: 690 },
  ])
  expect(expiring).toHaveLength(30)
  expect(expiring[0]?.day).toBe('2026-03-12')
  expect(expiring.filter(({ accounts }) => accounts > 0)).toEqual([
    { day: '2026-03-14', accounts: 1 },
    { day: '2026-04-10', accounts: 1 },
  ])

  const month = await admin.ask(getActivity, {})
  expect(month.days).toHaveLength(30)
  expect([month.days[0]?.day, month.days.at(-1)?.day]).toEqual(['2026-02-11', '2026-03-12'])
  product.clock.advance(2 * day)
  const later = await product.again(product.admin)
  const soon = await later.ask(getActivity, { days: 1 })
  expect(soon.days).toEqual([{ day: '2026-03-14', created: 0, renewed: 0, pointsSold: 0 }])
})
