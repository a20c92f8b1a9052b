import {
  endBlock,
  getAccount,
  getAudit,
  getReplacement,
  getServer,
  newAccount,
  quoteAccount,
  removeHost,
  replaceHost,
  setSettings,
  stopReplacing,
} from '@kelid/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Body } from '../../../test/calls.ts'
import { expectSoundBooks } from '../../../test/faults/races.ts'
import { nodesForAllTests } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount, tunnelledAccount, unusedAddress } from '../../../test/sample-hosts.ts'
import { writeHealth } from '../health/health.store.ts'
import { replaceWays } from './replace.job.ts'

const product = nodesForAllTests()
let person: Person
beforeAll(async () => {
  person = await product.person({ points: 1_000_000, tunnelCredit: 100_000 })
})
beforeEach(async () => {
  await product.ctx.db.updateTable('servers').set({ paused: true }).execute()
  await product.ctx.db.updateTable('tunnels').set({ paused: true }).execute()
  await product.ctx.db.updateTable('replacements').set({ finished_at: product.clock.now() }).execute()
  await product.admin.ask(setSettings, { waysPerAccount: { 'hysteria2-direct': 1 } })
})

const target = (accountTargetCountry: string, accountTargetOperator: string) => ({
  accountTargetCountry,
  accountTargetOperator,
})
const mci = target('Iran', 'MCI')
const irancell = target('Iran', 'Irancell')
const open = (change: object = {}) =>
  product.server({ countryId: 276, serverMaxAccounts: 500, serverIPV4: unusedAddress(), ...change })
const buy = async (change: object = {}) =>
  (await person.ask(newAccount, { ...directAccount, ...change })).accountUUID
const admin = () => product.again(product.admin)
const replacementOf = async (hostUUID: string, change: object = {}) =>
  (await admin()).ask(getReplacement, { hostUUID, ...change })
const block = async (hostUUID: string, change: Partial<Body<typeof replaceHost>> = mci) =>
  (await admin()).ask(replaceHost, { hostUUID, reason: 'blocked by an operator', ...change })
const accountsOn = async (serverUUID: string) =>
  (await (await admin()).ask(getServer, { serverUUID })).serverAccounts
const serverOf = async (uuid: string) => (await product.row('accounts', uuid)).server_uuid
const minute = async () => {
  product.clock.advance(60_000)
  return (await replaceWays(product.ctx)).moved
}
const eventsOf = async (serverUUID: string) =>
  (
    await product.sql(
      "SELECT FROM events WHERE user_id IS NULL AND payload @> jsonb_build_object('serverUUID', $1::text)",
      serverUUID,
    )
  ).length

test('a host that is blocked for an operator loses the accounts of that operator only, and gets no new ones of it', async () => {
  const blocked = await open()
  const meant = [await buy(mci), await buy(target('iran', 'mci')), await buy(mci)]
  const others = [await buy(irancell), await buy(irancell)]
  const unstated = [await buy(target('Iran', '')), await buy(), await buy()]
  const other = await open({ serverMaxAccounts: 2 })
  const preview = await replacementOf(blocked, mci)
  expect(preview).toMatchObject({ ways: 3, unstated: 3, placed: 2, elsewhere: 0, blocks: [] })
  expect(preview.targets).toEqual([
    { ...target('Iran', 'MCI'), ways: 3 },
    { ...irancell, ways: 2 },
    { ...target('Iran', ''), ways: 1 },
  ])
  expect(await replacementOf(blocked, { ...mci, alsoUnstated: true })).toMatchObject({ ways: 6, unstated: 3 })
  expect(await replacementOf(blocked, target('Iran', ''))).toMatchObject({ ways: 6, unstated: 2 })

  await block(blocked)
  await expect(block(blocked)).rejects.toMatchObject({ type: 'BEING_REPLACED' })
  expect(await minute()).toBe(2)
  expect((await replacementOf(blocked)).latestOfBlocks).toMatchObject({
    moved: 2,
    stuck: 1,
    finishedDate: null,
  })
  await product.setRow('servers', other, { max_accounts: 500 })
  expect(await minute()).toBe(1)
  expect(await replacementOf(blocked)).toMatchObject({
    latest: null,
    latestOfBlocks: {
      reason: 'blocked',
      startedBy: product.admin.email,
      moved: 3,
      finishedDate: expect.any(String),
    },
    blocks: [{ ...mci, alsoUnstated: false, blockedBy: product.admin.email }],
  })
  for (const uuid of meant) expect(await serverOf(uuid)).toBe(other)
  for (const uuid of [...others, ...unstated]) expect(await serverOf(uuid)).toBe(blocked)
  expect((await (await admin()).ask(getServer, { serverUUID: blocked })).serverPaused).toBe(false)

  await product.setRow('servers', other, { max_accounts: 4 })
  expect(await serverOf(await buy(irancell))).toBe(blocked)
  expect(await serverOf(await buy(mci)), 'though the other one is fuller').toBe(other)
  const { accountVPNType, accountTunnelType, accountDuration } = directAccount
  const question = { accountVPNType, accountTunnelType, accountDuration }
  const quoted = async (wish: object) =>
    (await person.ask(quoteAccount, { ...question, ...wish })).quoteRefusal
  expect([await quoted(mci), await quoted(irancell)]).toEqual(['NO_CAPACITY', null])
  await expect(buy(mci)).rejects.toMatchObject({ type: 'NO_CAPACITY' })

  await block(blocked, { ...mci, alsoUnstated: true })
  await product.setRow('servers', other, { max_accounts: 500 })
  expect(await minute()).toBe(3)
  for (const uuid of unstated) expect(await serverOf(uuid)).toBe(other)
  await expectSoundBooks(product.ctx.db)

  await (await admin()).ask(endBlock, { hostUUID: blocked, ...target('IRAN', 'mci') })
  expect(await (await admin()).refusal(endBlock, { hostUUID: blocked, ...mci })).toBe('NOTHING_RUNS')
  expect((await replacementOf(blocked)).blocks).toEqual([])
  expect(await serverOf(await buy(mci))).toBe(blocked)
  const { items } = await (await admin()).ask(getAudit, { subject: blocked })
  expect(items.map(({ auditAction }) => auditAction)).toEqual(
    expect.arrayContaining(['replaceserver', 'replacedserver', 'endblockserver']),
  )
})

test('every step is announced, so that open pages show it', async () => {
  const blocked = await open()
  await buy(mci)
  const grows = async (act: () => Promise<unknown>) => {
    const before = await eventsOf(blocked)
    await act()
    return (await eventsOf(blocked)) > before
  }
  expect(await grows(() => block(blocked))).toBe(true)
  expect(await grows(minute), 'one is stuck').toBe(true)
  expect(await grows(minute), 'nothing has changed').toBe(false)
  await open()
  expect(await grows(minute), 'it has moved').toBe(true)
  expect(await grows(async () => (await admin()).ask(endBlock, { hostUUID: blocked, ...mci }))).toBe(true)
  await buy()
  expect(await grows(() => block(blocked, {}))).toBe(true)
  expect(await grows(async () => (await admin()).ask(stopReplacing, { hostUUID: blocked }))).toBe(true)
})

test('a block beside a replacement of all accounts, the end of a block, and the removal of the host', async () => {
  const blocked = await open()
  const [account] = [await buy(mci), await buy(irancell)]
  await block(blocked)
  await block(blocked, {})
  await (await admin()).ask(stopReplacing, { hostUUID: blocked })
  expect(await replacementOf(blocked)).toMatchObject({
    latest: { finishedDate: expect.any(String) },
    latestOfBlocks: { finishedDate: null },
  })
  await block(blocked, irancell)
  await (await admin()).ask(endBlock, { hostUUID: blocked, ...irancell })
  expect((await replacementOf(blocked)).latestOfBlocks?.finishedDate).toBe(null)
  await (await admin()).ask(endBlock, { hostUUID: blocked, ...mci })
  expect((await replacementOf(blocked)).latestOfBlocks?.finishedDate).not.toBe(null)
  await open()
  expect(await minute()).toBe(0)
  expect(await serverOf(account)).toBe(blocked)
  const empty = await open()
  await block(empty, target('', 'MCI'))
  await (await admin()).ask(removeHost, { hostUUID: empty })
  expect(await product.sql('SELECT FROM host_blocks WHERE host_uuid = $1', empty)).toEqual([])
})

test('a blocked tunnel is left by the accounts of the operator, which keep their server', async () => {
  const serverUUID = await product.server({
    ...{ serverType: 'xray', serverVPNType: 'trojan', serverURL: 'ams8.example.com' },
    ...{ serverTunnelActive: true, serverTunnelType: 'wstunnel', serverIPV4: unusedAddress() },
  })
  const blocked = await product.tunnel({ tunnelIPV4: unusedAddress() })
  const [meant, other] = [await buy({ ...tunnelledAccount, ...mci }), await buy({ ...tunnelledAccount })]
  await block(blocked, target('', 'mci'))
  await expect(buy({ ...tunnelledAccount, ...mci })).rejects.toMatchObject({ type: 'NO_CAPACITY' })
  const beside = await product.tunnel({ tunnelIPV4: unusedAddress(), tunnelURL: 'thr8.example.com' })
  expect(await minute()).toBe(1)
  const newest = await buy({ ...tunnelledAccount, ...mci })
  const placesOf = async (uuid: string) => {
    const { server_uuid, tunnel_uuid } = await product.row('accounts', uuid)
    return [server_uuid, tunnel_uuid]
  }
  expect(await placesOf(meant)).toEqual([serverUUID, beside])
  expect(await placesOf(newest)).toEqual([serverUUID, beside])
  expect(await placesOf(other)).toEqual([serverUUID, blocked])
  await expectSoundBooks(product.ctx.db)
})

test('a blocked address of a machine is blocked for the operator at all its services', async () => {
  const serverIPV4 = unusedAddress()
  const [one, two] = [
    await open({ serverIPV4, serverPort: 443 }),
    await open({ serverIPV4, serverPort: 444 }),
  ]
  for (let count = 0; count < 4; count += 1) await buy(count % 2 === 0 ? mci : irancell)
  await open()
  const counts = [await accountsOn(one), await accountsOn(two)]
  expect(counts).toEqual([2, 2])
  expect(await replacementOf(one, { ...mci, wholeMachine: true })).toMatchObject({ ways: 2, placed: 2 })
  await block(one, { ...mci, wholeMachine: true })
  expect(await minute()).toBe(2)
  for (const uuid of [one, two]) expect((await replacementOf(uuid)).blocks).toMatchObject([mci])
})

test('ways that work come first, then those that are not blocked for the account, then those that are meant for it', async () => {
  await product.admin.ask(setSettings, { waysPerAccount: { 'hysteria2-direct': 3 } })
  const details = { serverTargetCountry: 'Iran' }
  const hosts = [await open(), await open(), await open({ ...details, serverTargetOperator: 'MCI' })]
  const account = await buy(mci)
  const order = async () => {
    const { accountWays = [] } = await (await product.again(person)).ask(getAccount, { accountUUID: account })
    const addresses = accountWays.map(({ accountQRString }) => new URL(accountQRString).hostname)
    const rows = await product.sql('SELECT uuid, ipv4 FROM servers WHERE uuid = ANY ($1)', hosts)
    return addresses.map((address) => hosts.indexOf(rows.find(({ ipv4 }) => ipv4 === address)?.uuid))
  }
  expect((await order())[0]).toBe(2)
  const [, second, third] = await order()
  await block(hosts[2] ?? '')
  expect(await order(), 'it has no other place').toEqual([second, third, 2])
  await writeHealth(product.ctx.db, { kind: 'server', uuid: hosts[second ?? 0] ?? '' }, product.clock.now(), {
    ...{ health: 'down', reason: 'TIMEOUT', detail: '' },
  } as Parameters<typeof writeHealth>[3])
  expect(await order()).toEqual([third, 2, second])
})
