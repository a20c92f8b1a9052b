import {
  getAccount,
  getReplacement,
  getServer,
  newAccount,
  replaceHost,
  setHostPaused,
  setSettings,
  stopReplacing,
} from '@kelid/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { expectSoundBooks } from '../../../test/faults/races.ts'
import { nodesForAllTests } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount, tunnelledAccount, unusedAddress } from '../../../test/sample-hosts.ts'
import { writeHealth } from '../health/health.store.ts'
import { perMinute, replaceWays } from './replace.job.ts'

const product = nodesForAllTests()
let person: Person
beforeAll(async () => {
  person = await product.person({ points: 1_000_000, tunnelCredit: 100_000 })
})
beforeEach(async () => {
  await product.ctx.db.updateTable('servers').set({ paused: true }).execute()
  await product.ctx.db.updateTable('tunnels').set({ paused: true }).execute()
  await product.ctx.db.updateTable('replacements').set({ finished_at: product.clock.now() }).execute()
  await product.admin.ask(setSettings, { replaceDownAfter: 0, waysPerAccount: { 'hysteria2-direct': 1 } })
})

const germany = 276
const austria = 40
const open = (countryId: number, serverMaxAccounts = 500) =>
  product.server({ countryId, serverMaxAccounts, serverIPV4: unusedAddress() })
async function buy(count: number) {
  const accounts = []
  for (let number = 0; number < count; number += 1) accounts.push(await person.ask(newAccount, directAccount))
  return accounts
}
const admin = () => product.again(product.admin)
const replacementOf = async (hostUUID: string) => (await admin()).ask(getReplacement, { hostUUID })
const accountsOn = async (serverUUID: string) =>
  (await (await admin()).ask(getServer, { serverUUID })).serverAccounts
const block = async (hostUUID: string) =>
  (await admin()).ask(replaceHost, { hostUUID, reason: 'blocked by an operator' })
const blockMachine = async (hostUUID: string) =>
  (await admin()).ask(replaceHost, { hostUUID, reason: 'the address is blocked', wholeMachine: true })
const minute = async () => {
  product.clock.advance(60_000)
  return (await replaceWays(product.ctx)).moved
}
const setHealth = (uuid: string, health: 'up' | 'down') =>
  writeHealth(product.ctx.db, { kind: 'server', uuid }, product.clock.now(), {
    ...{ health, reason: health === 'down' ? 'TIMEOUT' : 'ANSWERED', detail: '' },
  } as Parameters<typeof writeHealth>[3])

test('accounts of a blocked host get hosts in the same country first, a bounded number each minute', async () => {
  const blocked = await open(germany)
  const accounts = await buy(perMinute + 20)
  const near = await open(germany, 90)
  const far = await open(austria)
  expect(await replacementOf(blocked)).toMatchObject({ ways: 120, placed: 120, elsewhere: 30, latest: null })
  const before = accounts.map(({ accountSubscriptionPath: path }) => path)
  await block(blocked)
  await expect(block(blocked)).rejects.toMatchObject({ type: 'BEING_REPLACED' })
  expect(await minute()).toBe(perMinute)
  expect(await replacementOf(blocked)).toMatchObject({
    ways: 20,
    latest: { reason: 'blocked', moved: perMinute, stuck: 0, finishedDate: null },
  })
  expect([await accountsOn(near), await accountsOn(far)]).toEqual([90, 10])
  expect(await minute()).toBe(20)
  expect((await replacementOf(blocked)).latest).toMatchObject({
    moved: 120,
    finishedDate: expect.any(String),
  })
  expect([await accountsOn(blocked), await accountsOn(far)]).toEqual([0, 30])
  expect((await (await admin()).ask(getServer, { serverUUID: blocked })).serverPaused).toBe(true)
  const [first] = accounts
  const { accountSubscriptionPath, accountQRString } = await (await product.again(person)).ask(getAccount, {
    accountUUID: first?.accountUUID ?? '',
  })
  expect(before).toContain(accountSubscriptionPath)
  expect(accountQRString).not.toBe(first?.accountQRString)
  await expectSoundBooks(product.ctx.db)
})

test('accounts without another place stay until there is one, and the rest can be left where it is', async () => {
  const blocked = await open(germany)
  await buy(3)
  const small = await open(germany, 1)
  await block(blocked)
  expect(await minute()).toBe(1)
  expect((await replacementOf(blocked)).latest).toMatchObject({ moved: 1, stuck: 2, finishedDate: null })
  expect(await minute()).toBe(0)
  await product.setRow('servers', small, { max_accounts: 2 })
  expect(await minute()).toBe(1)
  await (await admin()).ask(stopReplacing, { hostUUID: blocked })
  await expect((await admin()).ask(stopReplacing, { hostUUID: blocked })).rejects.toMatchObject({
    type: 'NOTHING_RUNS',
  })
  await open(austria)
  expect(await minute()).toBe(0)
  expect(await accountsOn(blocked)).toBe(1)
  await expectSoundBooks(product.ctx.db)
})

test('a way of several moves to a server that the account does not have yet', async () => {
  await product.admin.ask(setSettings, { waysPerAccount: { 'hysteria2-direct': 2 } })
  const [one, two] = [await open(germany), await open(germany)]
  const [account] = await buy(1)
  const free = await open(austria)
  await block(two)
  expect(await minute()).toBe(1)
  const rows = await product.sql(
    'SELECT server_uuid FROM placements WHERE account_uuid = $1',
    account?.accountUUID ?? '',
  )
  expect(rows.map(({ server_uuid }) => server_uuid).sort()).toEqual([one, free].sort())
  await block(free)
  expect(await minute(), 'no third server').toBe(0)
  await expectSoundBooks(product.ctx.db)
})

test('behind a blocked tunnel accounts keep their server', async () => {
  const serverUUID = await product.server({
    ...{ serverType: 'xray', serverVPNType: 'trojan', serverURL: 'ams9.example.com' },
    ...{ serverTunnelActive: true, serverTunnelType: 'wstunnel', serverIPV4: unusedAddress() },
  })
  const blocked = await product.tunnel({ tunnelIPV4: unusedAddress() })
  const { accountUUID } = await person.ask(newAccount, tunnelledAccount)
  const other = await product.tunnel({ tunnelIPV4: unusedAddress(), tunnelURL: 'thr9.example.com' })
  await block(blocked)
  expect(await minute()).toBe(1)
  expect(
    await product.sql('SELECT server_uuid, tunnel_uuid FROM accounts WHERE uuid = $1', accountUUID),
  ).toEqual([{ server_uuid: serverUUID, tunnel_uuid: other }])
  await expectSoundBooks(product.ctx.db)
})

test('a host that is down for the time in the settings is replaced until it is back, unless most hosts are down', async () => {
  const down = await open(germany)
  await buy(perMinute + 1)
  const [other] = [await open(germany), await open(germany)]
  await setHealth(down, 'down')
  product.clock.advance(11 * 60_000)
  expect(await minute(), 'switched off').toBe(0)
  await (await admin()).ask(setSettings, { replaceDownAfter: 10 })
  const rows = await product.sql(
    `SELECT uuid FROM servers WHERE state = 'ready' OR accounts > 0 EXCEPT SELECT $1::uuid`,
    down,
  )
  for (const { uuid } of rows) await setHealth(uuid, 'down')
  expect(await minute(), 'the control plane may be cut off').toBe(0)
  for (const { uuid } of rows) await setHealth(uuid, 'up')
  expect(await minute()).toBe(perMinute)
  expect((await replacementOf(down)).latest).toMatchObject({ reason: 'down', startedBy: '' })
  await setHealth(down, 'up')
  expect(await minute(), 'it is back').toBe(0)
  expect((await replacementOf(down)).latest?.finishedDate).not.toBe(null)
  expect(await accountsOn(other ?? '')).toBeGreaterThan(0)
})

test.each(['down', 'blocked'] as const)(
  'a host that is back after it was %s is filled slowly',
  async (reason) => {
    const returned = await open(germany, 100)
    await buy(2)
    const other = await open(germany, 100)
    if (reason === 'blocked') {
      await block(returned)
      await minute()
      await (await admin()).ask(setHostPaused, { hostUUID: returned, hostPaused: false })
    } else {
      await open(germany, 100)
      await (await admin()).ask(setSettings, { replaceDownAfter: 10 })
      await setHealth(returned, 'down')
      product.clock.advance(11 * 60_000)
      await minute()
      await setHealth(returned, 'up')
      await minute()
    }
    const before = await accountsOn(returned)
    await buy(3)
    expect(await accountsOn(returned), 'at first').toBe(before)
    await product.setRow('servers', other, { max_accounts: await accountsOn(other) })
    await product.sql(`UPDATE servers SET paused = true WHERE uuid NOT IN ($1, $2)`, returned, other)
    await buy(1)
    expect(await accountsOn(returned), 'where no other has room').toBe(before + 1)
    await product.setRow('servers', other, { max_accounts: 2 * (await accountsOn(other)) })
    await product.sql(
      `UPDATE servers SET returned_at = now() - interval '18 hours' WHERE uuid = $1`,
      returned,
    )
    await buy(1)
    expect(await accountsOn(returned), 'later').toBe(before + 2)
  },
)

test('a blocked address concerns all services of its machine, also those of which one is replaced already', async () => {
  const serverIPV4 = unusedAddress()
  const service = (serverPort: number) =>
    product.server({ countryId: germany, serverMaxAccounts: 4, serverIPV4, serverPort })
  const [one, two] = [await service(443), await service(444)]
  await buy(8)
  await open(germany)
  const preview = (await admin()).ask(getReplacement, { hostUUID: one, wholeMachine: true })
  expect(await preview).toMatchObject({ ways: 8, placed: 8, elsewhere: 0, latest: null })
  await block(two)
  await blockMachine(one)
  await expect(blockMachine(two)).rejects.toMatchObject({ type: 'BEING_REPLACED' })
  expect(await minute()).toBe(8)
  expect([await accountsOn(one), await accountsOn(two)]).toEqual([0, 0])
  for (const serverUUID of [one, two])
    expect((await (await admin()).ask(getServer, { serverUUID })).serverPaused).toBe(true)
})
