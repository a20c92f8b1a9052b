import {
  changeServer,
  changeTunnel,
  defaultSettings,
  getAccount,
  getUserCredit,
  newAccount,
  setSettings,
  setUserDebtLimit,
  setUserRate,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { openGreeted } from '../../../test/faults/live-stream.ts'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'
import { until } from '../../../test/until.ts'

const product = productForAllTests()
let serverUUID: string
let tunnelUUID: string
beforeAll(async () => {
  serverUUID = await product.server(trojanServer())
  tunnelUUID = await product.tunnel()
})

async function watch(person: Person) {
  const stream = await openGreeted(product, person)
  const seen = () => stream.received.slice(1).map(({ event }) => event)
  return { ...stream, seen }
}

const balance = { type: 'balance' }

test('a new price, default rate or renewal rule sends one event to every open screen', async () => {
  const [one, two] = [await product.person({ points: 500 }), await product.person()]
  const [first, second] = [await watch(one), await watch(two)]
  const changes = [
    { defaultCreditRate: 200 },
    { pointsPerDay: { ...defaultSettings.pointsPerDay, trojan: 11 } },
    { tunnelCreditPerDay: 2 },
    { renewal: 'replace' as const },
  ]
  for (const change of changes) await product.admin.call(setSettings, change)
  for (const stream of [first, second]) {
    await until(() => stream.seen().length === changes.length, 'all changes')
    expect(stream.seen()).toEqual(changes.map(() => balance))
  }
  expect((await one.ask(getUserCredit, {})).userCreditDollars).toBe(2.5)

  // A change that affects no price sends no event, so the next event is that of the second change.
  await product.admin.call(setSettings, { replaceDownAfter: 4, tunnelCreditPerDay: 2 })
  await product.admin.call(setSettings, { ...defaultSettings, replaceDownAfter: 4 })
  await until(() => first.seen().length > changes.length, 'the prices as they were')
  expect(first.seen()).toHaveLength(changes.length + 1)
  for (const stream of [first, second]) stream.drop()
})

test('a custom rate or debt limit sends an event to its user only', async () => {
  const [one, two] = [await product.person({ points: 500 }), await product.person()]
  const [first, second] = [await watch(one), await watch(two)]
  await product.admin.call(setUserRate, { userEmail: one.email, userCustomCreditRate: 50 })
  await product.admin.call(setUserDebtLimit, { userEmail: one.email, value: 20 })
  await product.admin.call(setUserRate, { userEmail: two.email, userCustomCreditRate: 70 })
  await until(() => second.seen().length > 0, 'the sign for the other')
  expect(first.seen()).toEqual([balance, balance])
  expect(second.seen()).toEqual([balance])
  for (const stream of [first, second]) stream.drop()
})

test('a server or tunnel that moves sends an event to the owners of its accounts, whose links change', async () => {
  const [owner, other] = [
    await product.person({ points: 500, tunnelCredit: 100 }),
    await product.person({ points: 500 }),
  ]
  const [first, second] = [await watch(owner), await watch(other)]
  const { accountUUID, accountQRString } = await owner.ask(newAccount, tunnelledAccount)
  await until(() => first.seen().length === 2, 'the purchase')
  const changed = { type: 'account', accountUUID }
  const linkNow = () => owner.ask(getAccount, { accountUUID })

  await product.admin.call(changeServer, { serverUUID, serverIPV4: '192.0.2.99', countryId: 752 })
  await until(() => first.seen().length === 3, 'the move of the server')
  expect((await linkNow()).server.country.countryId).toBe(752)
  await product.admin.call(changeTunnel, { tunnelUUID, tunnelIPV4: '198.51.100.99' })
  await until(() => first.seen().length === 4, 'the move of the tunnel')
  expect(first.seen().slice(2)).toEqual([changed, changed])
  expect((await linkNow()).accountQRString).not.toBe(accountQRString)
  expect(second.seen()).toEqual([])
  for (const stream of [first, second]) stream.drop()
})
