import { randomUUID } from 'node:crypto'
import {
  day,
  editHost,
  extendDuration,
  getAudit,
  getDashboard,
  getHostMoveTargets,
  getServer,
  getServers,
  getTunnel,
  newAccount,
} from '@kelid/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { nodesForAllTests } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount, trojanServer, unusedAddress } from '../../../test/sample-hosts.ts'
import { regularJobs } from '../../jobs/regular.ts'
import { runRegular } from '../../jobs/worker.ts'
import { type BothKinds, bothKinds } from './hosts.fixture.ts'
import { providerMonth } from './provider-month.ts'

const product = nodesForAllTests()
const [server, tunnel] = bothKinds as [BothKinds, BothKinds]
const MB = 10 ** 6
let begin: Date
let admin: Person
beforeAll(() => {
  begin = product.clock.now()
})
beforeEach(async () => {
  product.clock.set(begin)
  admin = await product.again(product.admin)
})

const countAgain = async () => {
  const job = regularJobs.find(({ name }) => name === 'quotas')
  if (job) await runRegular(product.ctx, job)
}
const quotaOf = async (serverUUID: string) => (await admin.ask(getServer, { serverUUID })).serverQuotaMonth
const tight = async (uuid: string) => {
  const { tightQuotas = [] } = await admin.ask(getDashboard, {})
  return tightQuotas.filter((one) => one.uuid === uuid)
}
/** The day of the month on which this provider's months begin: today. */
const today = () => begin.getUTCDate()

test('a host is shown from 80% of its quota, not sold from 100%, and sold again in the next month', async () => {
  const { uuid, say } = await product.onlyServer({ serverQuota: 1, serverQuotaDay: today() })
  const buyer = await product.person({ points: 10_000 })
  const { accountUUID: id } = await buyer.ask(newAccount, directAccount)
  const events = async () =>
    (await product.sql("SELECT FROM events WHERE payload::text LIKE '%' || $1 || '%'", uuid)).length
  const use = async (bytes: number) => {
    await say({ usage: [{ id, up: MB, down: bytes - MB }] })
    await countAgain()
    return (await quotaOf(uuid))?.quotaState
  }

  expect(await use(800 * MB - 1)).toBe('')
  expect(await tight(uuid)).toEqual([])
  const before = await events()
  expect(await use(800 * MB)).toBe('low')
  expect((await events()) - before, 'the warning').toBe(1)
  const { from, until: ends } = providerMonth(today(), begin)
  expect(await tight(uuid)).toEqual([
    expect.objectContaining({ subject: 'server', quotaState: 'low', quota: 1, quotaUsed: 800 * MB }),
  ])
  await buyer.ask(newAccount, { ...directAccount, accountName: 'second' })

  expect(await use(999 * MB)).toBe('low')
  expect(await use(1_000 * MB)).toBe('exhausted')
  expect((await events()) - before, 'the end').toBe(2)
  expect(await quotaOf(uuid)).toEqual({
    quotaState: 'exhausted',
    quotaUsed: 1_000 * MB,
    quotaBeginDate: from.toISOString(),
    quotaEndDate: ends.toISOString(),
  })
  expect((await buyer.call(newAccount, { ...directAccount, accountName: 'third' })).errorType).toBe(
    'NO_CAPACITY',
  )
  await buyer.ask(extendDuration, { accountUUID: id, accountDuration: 3 })
  const other = await product.server({ serverIPV4: unusedAddress() })
  const { items } = await admin.ask(getHostMoveTargets, { hostUUID: other })
  expect(items.map(({ hostUUID }) => hostUUID)).not.toContain(uuid)
  await product.setRow('servers', other, { paused: true })

  product.clock.set(ends)
  admin = await product.again(product.admin)
  await countAgain()
  expect(await quotaOf(uuid)).toMatchObject({
    quotaState: '',
    quotaUsed: 0,
    quotaBeginDate: ends.toISOString(),
  })
  const later = await product.again(buyer)
  await later.ask(newAccount, { ...directAccount, accountName: 'third' })
  expect(await tight(uuid)).toEqual([])
})

test('a larger quota or none opens a host at once; the audit log names both values', async () => {
  const { uuid, say } = await product.onlyServer({ serverQuota: 1, serverQuotaDay: today() })
  const buyer = await product.person({ points: 10_000 })
  const { accountUUID: id } = await buyer.ask(newAccount, directAccount)
  await say({ usage: [{ id, up: 0, down: 1_500 * MB }] })
  await countAgain()
  expect(await quotaOf(uuid)).toMatchObject({ quotaState: 'exhausted' })
  const edit = async (serverQuota: number, serverQuotaDay?: number) => {
    await admin.ask(editHost, { hostUUID: uuid, serverQuota, ...(serverQuotaDay && { serverQuotaDay }) })
    return (await quotaOf(uuid))?.quotaState
  }
  expect(await edit(2)).toBe('')
  expect((await admin.ask(getServers, { room: 'full' })).items).toEqual([])
  expect(await edit(1)).toBe('exhausted')
  expect(await edit(0)).toBeUndefined()
  await buyer.ask(newAccount, { ...directAccount, accountName: 'second' })
  const stale = { hostUUID: uuid, serverQuota: 3, basedOn: { serverQuota: 1 } }
  expect((await admin.call(editHost, stale)).errorType).toBe('CHANGED_MEANWHILE')
  const [entry] = (await admin.ask(getAudit, { subject: uuid, limit: 1 })).items
  expect(entry).toMatchObject({
    auditAction: 'editserver',
    auditDetail: { 'from.serverQuota': 1, 'to.serverQuota': 0 },
  })
})

test('bytes of an earlier month of the provider do not count', async () => {
  const yesterday = new Date(begin.getTime() - day)
  const { uuid } = await product.onlyServer({ serverQuota: 1, serverQuotaDay: today() })
  const count = (at: Date) =>
    product.sql(
      'INSERT INTO host_usage_days (exit_uuid, entry_uuid, day, up, down) VALUES ($1, $1, $2, 0, $3)',
      ...[uuid, at.toISOString().slice(0, 10), 700 * MB],
    )
  await count(yesterday)
  await count(begin)
  await countAgain()
  expect(await quotaOf(uuid)).toMatchObject({ quotaState: '', quotaUsed: 700 * MB })
  await admin.ask(editHost, { hostUUID: uuid, serverQuotaDay: yesterday.getUTCDate() })
  expect(await quotaOf(uuid)).toMatchObject({ quotaState: 'exhausted', quotaUsed: 1_400 * MB })
})

test('the services of a machine share its quota, and bytes from one to the other count once', async () => {
  const IPV4 = unusedAddress()
  const [serverUUID, tunnelUUID] = [randomUUID(), randomUUID()]
  const exit = { ...trojanServer(), serverIPV4: IPV4, serverQuota: 1, serverQuotaDay: today() }
  await product.server({ ...exit, serverUUID })
  ;(await tunnel.add(admin, tunnelUUID, { IPV4, Port: 8_444 })).answer()
  const both = async () => [
    await server.read(admin, serverUUID),
    (await admin.ask(getTunnel, { tunnelUUID })) as Record<string, unknown>,
  ]
  expect((await both())[1]).toMatchObject({ tunnelQuota: 1, tunnelQuotaDay: today() })
  const count = (exitUUID: string, entryUUID: string) =>
    product.sql(
      'INSERT INTO host_usage_days (exit_uuid, entry_uuid, day, up, down) VALUES ($1, $2, $3, $4, $4)',
      ...[exitUUID, entryUUID, begin.toISOString().slice(0, 10), 200 * MB],
    )
  await count(serverUUID, tunnelUUID)
  await count(randomUUID(), tunnelUUID)
  await countAgain()
  const [one, other] = await both()
  for (const month of [one?.QuotaMonth, other?.tunnelQuotaMonth])
    expect(month).toMatchObject({ quotaState: 'low', quotaUsed: 800 * MB })

  ;(await tunnel.edit(admin, tunnelUUID, { Quota: 2 })).answer()
  expect((await both())[0]).toMatchObject({ Quota: 2, QuotaMonth: { quotaState: '' } })
  const third = randomUUID()
  ;(await server.add(admin, third, { IPV4, Port: 9_443, Quota: 5, QuotaDay: 7 })).answer()
  expect((await both())[1]).toMatchObject({ tunnelQuota: 5, tunnelQuotaDay: 7 })

  const mover = await product.server({ serverIPV4: unusedAddress(), serverPort: 9_444, serverQuota: 9 })
  ;(await server.change(admin, mover, IPV4)).answer()
  expect(await server.read(admin, mover)).toMatchObject({ Quota: 5, QuotaDay: 7 })
  ;(await server.change(admin, mover, unusedAddress())).answer()
  expect(await server.read(admin, mover)).toMatchObject({ Quota: 5 })
})

test('a host without a quota has none, and limits of the fields hold', async () => {
  const serverUUID = await product.server({ serverIPV4: unusedAddress() })
  expect(await admin.ask(getServer, { serverUUID })).toMatchObject({
    serverQuota: 0,
    serverQuotaDay: 1,
    serverQuotaMonth: null,
  })
  for (const wrong of [
    { serverQuota: -1 },
    { serverQuota: 100_001 },
    { serverQuotaDay: 0 },
    { serverQuotaDay: 32 },
  ])
    expect((await admin.call(editHost, { hostUUID: serverUUID, ...wrong })).errorType).toBe(
      'INCOMPLETE_INFORMATION',
    )
})
