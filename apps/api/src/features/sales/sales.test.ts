import { randomUUID } from 'node:crypto'
import {
  addData,
  day,
  defaultSettings,
  editHost,
  extendDuration,
  getDataSold,
  getSales,
  gigabyte,
  newAccount,
} from '@kelid/contract'
import { beforeEach, expect, test } from 'vitest'
import { type Person, productForEachTest } from '../../../test/product.ts'
import { directAccount, trojanServer, tunnelledAccount, unusedAddress } from '../../../test/sample-hosts.ts'

const product = productForEachTest()
let person: Person
beforeEach(async () => {
  await product.settings({
    ...defaultSettings,
    pointsPerDay: { ...defaultSettings.pointsPerDay, 'hysteria2-direct': 10, trojan: 20 },
    pointsPerGB: { ...defaultSettings.pointsPerGB, 'hysteria2-direct': 3, trojan: 3 },
  })
  person = await product.person({ points: 1_000_000, tunnelCredit: 1_000 })
})

const buy = async (wanted: { accountDuration: number; accountDataLimit?: number }) =>
  (await person.ask(newAccount, { ...directAccount, ...wanted })).accountUUID
const names = JSON.stringify({ en: 'Month', fa: 'ماهانه' })
/** As purchases by a plan are stored. */
async function sellPlan(points: number) {
  const [{ id }] = await product.sql(
    `INSERT INTO ledger_transactions (at, movement, user_id, actor, reason, plan_uuid, plan_names)
      VALUES ($1, 'create', $2, 'user', '30 days of hysteria2-direct, 50 GB', $3, $4) RETURNING id`,
    ...[product.clock.now(), person.id, randomUUID(), names],
  )
  await product.sql(
    `INSERT INTO ledger_entries (transaction_id, user_id, unit, amount, balance)
      VALUES ($1, $2, 'points', -$3::bigint, 0), ($1, NULL, 'points', $3, NULL)`,
    ...[id, person.id, points],
  )
}
const renewByPlan = (accountUUID: string) =>
  product.sql(
    `UPDATE accounts SET plan_uuid = $2, plan_names = $3, plan_terms = '{"ways":[],"devices":null}' WHERE uuid = $1`,
    ...[accountUUID, randomUUID(), names],
  )

test('a reseller sees what was bought in 30 days by plan, and what a day and a GB cost', async () => {
  await product.server()
  expect(await person.ask(getSales, {})).toEqual({ salesByPlan: [], pointsPerDay: null, pointsPerGB: null })
  const unlimited = await buy({ accountDuration: 30 })
  expect(await person.ask(getSales, {})).toMatchObject({ pointsPerDay: 10, pointsPerGB: null })
  const limited = await buy({ accountDuration: 30, accountDataLimit: 50 })
  await person.ask(addData, { accountUUID: limited, accountDataLimit: 10 })
  await person.ask(extendDuration, { accountUUID: unlimited, accountDuration: 10 })
  const other = await product.person({ points: 1_000 })
  await other.ask(newAccount, directAccount)

  await sellPlan(440)
  expect(await person.ask(getSales, { lng: 'fa' })).toEqual({
    salesByPlan: [
      { planName: null, purchases: 4, points: 300 + 450 + 30 + 100 },
      { planName: 'ماهانه', purchases: 1, points: 440 },
    ],
    pointsPerDay: (300 + 450 + 100 + 440) / 100,
    pointsPerGB: (450 + 30 + 440) / 110,
  })

  product.clock.advance(29 * day)
  person = await product.again(person)
  const before = await person.ask(getSales, {})
  expect(before.salesByPlan.map(({ purchases }) => purchases)).toEqual([4, 1])
  expect(before.salesByPlan[1]?.planName).toBe('Month')
  product.clock.advance(day)
  person = await product.again(person)
  expect((await person.ask(getSales, {})).salesByPlan).toEqual([])
})

test('administrators see what was sold and used by host and by plan; expired accounts do not count', async () => {
  const direct = await product.server({ serverIPV4: unusedAddress(), serverName: 'direct' })
  const exit = await product.server({ ...trojanServer(), serverIPV4: unusedAddress(), serverName: 'exit' })
  const tunnel = await product.tunnel({ tunnelName: 'relay' })
  const limited = await buy({ accountDuration: 30, accountDataLimit: 50 })
  await buy({ accountDuration: 30 })
  await buy({ accountDuration: 1, accountDataLimit: 500 })
  const { accountUUID: tunnelled } = await person.ask(newAccount, {
    ...{ ...tunnelledAccount, accountDuration: 30 },
    accountDataLimit: 100,
  })
  const use = (uuid: string, gigabytes: number) =>
    product.sql('UPDATE data_limits SET used = $2 WHERE account_uuid = $1', uuid, gigabytes * gigabyte)
  await use(limited, 20)
  await use(tunnelled, 5)
  await renewByPlan(tunnelled)
  product.clock.advance(2 * day)
  const today = product.clock.now().toISOString().slice(0, 10)
  const carry = (exitUUID: string, entryUUID: string) =>
    product.sql(
      'INSERT INTO host_usage_days (exit_uuid, entry_uuid, day, up, down) VALUES ($1, $2, $3, 1, 2)',
      ...[exitUUID, entryUUID, today],
    )
  await carry(direct, direct)
  await carry(exit, tunnel)
  const admin = await product.again(product.admin)
  await admin.ask(editHost, { hostUUID: tunnel, tunnelQuota: 7 })

  const { hostCount, dataByHost, dataByPlan } = await admin.ask(getDataSold, {})
  expect(hostCount).toBe(3)
  const through = { limitedAccounts: 1, unlimitedAccounts: 0, carriedBytes: 3 }
  expect(dataByHost).toEqual([
    expect.objectContaining({ name: 'exit', soldBytes: 100 * gigabyte, ...through, quotaMonth: null }),
    expect.objectContaining({
      ...{ subject: 'tunnel', name: 'relay', quota: 7, usedBytes: 5 * gigabyte, ...through },
      quotaMonth: expect.objectContaining({ quotaUsed: 3 }),
    }),
    expect.objectContaining({
      ...{ name: 'direct', limitedAccounts: 1, unlimitedAccounts: 1, carriedBytes: 3 },
      ...{ soldBytes: 50 * gigabyte, usedBytes: 20 * gigabyte },
    }),
  ])
  expect(dataByPlan).toEqual([
    {
      ...{ planName: 'Month', limitedAccounts: 1, unlimitedAccounts: 0 },
      ...{ soldBytes: 100 * gigabyte, usedBytes: 5 * gigabyte },
    },
    {
      ...{ planName: null, limitedAccounts: 1, unlimitedAccounts: 1 },
      ...{ soldBytes: 50 * gigabyte, usedBytes: 20 * gigabyte },
    },
  ])
})
