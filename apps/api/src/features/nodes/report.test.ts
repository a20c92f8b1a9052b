import type { Agent } from 'node:https'
import { desired, getAccount, getAudit, moveAccount, newAccount, setEnabled } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'

import { nodesForAllTests } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount, trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'

const product = nodesForAllTests()
let person: Person
beforeAll(async () => {
  person = await product.person({ points: 100_000, tunnelCredit: 10_000 })
})

const buy = async () => (await person.ask(newAccount, directAccount)).accountUUID
const listOf = (agent: Agent) => product.ask(agent, desired, { epoch: '', digest: '' })
const accountOf = (accountUUID: string) => person.ask(getAccount, { accountUUID })
const rowOf = (uuid: string) => product.row('accounts', uuid)
const eventsOf = async (accountUUID: string) =>
  (await product.sql('SELECT FROM events WHERE payload @> $1', { accountUUID })).length
const totalOf = async (accountUUID: string) =>
  (await product.sql('SELECT * FROM usage_totals WHERE account_uuid = $1', accountUUID))[0]
const audited = async (subject: string) =>
  (await product.admin.ask(getAudit, { subject })).items.map(({ auditAction }) => auditAction)

test('a change is applied when the node has confirmed that revision, and watchers get one event', async () => {
  const node = await product.onlyServer()
  const id = await buy()
  const { epoch, number } = await node.list()
  expect((await accountOf(id)).accountApplied).toBe('unreported')
  await node.say({ epoch, number })
  expect((await accountOf(id)).accountApplied).toBe('waiting')
  const before = await eventsOf(id)
  for (let count = 0; count < 3; count += 1) await node.say({ epoch, number, applied: [{ id, revision: 1 }] })
  expect((await accountOf(id)).accountApplied).toBe('applied')
  expect((await rowOf(id)).applied_ms).toBeGreaterThanOrEqual(0)
  expect((await eventsOf(id)) - before).toBe(1)
  await person.call(setEnabled, { accountUUID: id, accountEnabled: false })
  expect((await accountOf(id)).accountApplied).toBe('waiting')
  await node.say({ epoch, number, applied: [{ id, revision: 1 }] })
  expect((await accountOf(id)).accountApplied).toBe('waiting')
  await node.say({ epoch, number, applied: [{ id, revision: 3 }] })
  expect((await accountOf(id)).accountApplied, 'ahead of what was asked for').toBe('waiting')
  await node.say({ epoch: '', number, applied: [{ id, revision: 2 }] })
  expect((await accountOf(id)).accountApplied, 'of another database').toBe('waiting')
  await node.say({ epoch, number, applied: [{ id, revision: 2 }] })
  await node.say({ epoch, number, applied: [{ id, revision: 1 }] })
  expect(await rowOf(id)).toMatchObject({ applied_revision: 2, revision: 2 })
})

test('the last usage of an account on its former host counts, and is no foreign report', async () => {
  const from = await product.onlyServer()
  const id = await buy()
  await from.say({ usage: [{ id, up: 10, down: 100 }] })
  const to = await product.onlyServer()
  await product.admin.ask(moveAccount, { accountUUID: id, toServerUUID: to.uuid })
  await from.say({ usage: [{ id, up: 12, down: 120 }] })
  await to.say({ usage: [{ id, up: 1, down: 1 }] })
  expect(await totalOf(id)).toMatchObject({ up: 13, down: 121 })
  expect(await audited(from.uuid)).not.toContain('foreignreport')
})

test('connections of a closed account are cut at their tunnel at once, for a minute', async () => {
  const tunnelUUID = await product.tunnel()
  const exit = await product.onlyServer(trojanServer())
  const relay = await product.nodeOf(tunnelUUID)
  const account = async () => (await person.ask(newAccount, tunnelledAccount)).accountUUID
  const [id, deleted] = [await account(), await account()]
  const { epoch, digest, cuts } = await listOf(relay)
  expect(cuts).toEqual([])
  const waiting = product.ask(relay, desired, { epoch, digest })
  await product.sql('DELETE FROM accounts WHERE uuid = $1', deleted)
  const gone = [
    { id, address: '203.0.113.5', port: 50_001 },
    { id, address: '2001:DB8:0::5', port: 50_002 },
    { id: deleted, address: '203.0.113.6', port: 50_003, ports: 'Y2BgYA==' },
  ]
  await exit.say({ gone })
  const first = await waiting
  expect(first).toMatchObject({ accounts: [] })
  expect(first.cuts.map(({ address, port, ports }) => [address, port, ports])).toEqual([
    ['203.0.113.5', 50_001, undefined],
    ['2001:db8::5', 50_002, undefined],
    ['203.0.113.6', 50_003, 'Y2BgYA=='],
  ])
  expect(first.cuts[0]?.at).toBe(product.clock.now().toISOString())
  expect(new Set(first.cuts.map((cut) => cut.id)).size).toBe(3)
  await exit.say({ gone })
  expect((await listOf(relay)).cuts).toEqual(first.cuts)
  product.clock.advance(61_000)
  expect((await listOf(relay)).cuts).toEqual([])
  expect((await exit.list()).cuts).toEqual([])
})

test('an account is cut at every tunnel by which it has come to its server, also long after it was deleted', async () => {
  const exit = await product.onlyServer(trojanServer())
  const tunnels = [await product.tunnel(), await product.tunnel()]
  const relays = await Promise.all(tunnels.map((uuid) => product.nodeOf(uuid)))
  const id = (await person.ask(newAccount, tunnelledAccount)).accountUUID
  for (const tunnel of tunnels)
    await product.sql('UPDATE accounts SET tunnel_uuid = $2 WHERE uuid = $1', id, tunnel)
  await product.sql('DELETE FROM accounts WHERE uuid = $1', id)
  await product.sql("UPDATE departures SET at = at - interval '23 hours'")
  await product.job('purge')
  await exit.say({ gone: [{ id, address: '203.0.113.7', port: 50_004 }] })
  for (const relay of relays) expect((await listOf(relay)).cuts.map(({ port }) => port)).toEqual([50_004])
})

test('an exit has no connection of our own hosts ended', async () => {
  const exit = await product.onlyServer({
    ...trojanServer(),
    serverIPV4: '198.51.100.71',
    serverIPV6: '2001:db8:7::1',
  })
  const tunnelUUID = await product.tunnel({ tunnelIPV4: '198.51.100.72' })
  await product.sql('UPDATE tunnels SET paused = true WHERE uuid <> $1', tunnelUUID)
  const relay = await product.nodeOf(tunnelUUID)
  const id = (await person.ask(newAccount, tunnelledAccount)).accountUUID
  const own = ['198.51.100.71', '2001:DB8:7:0::1', '198.51.100.72', '::ffff:198.51.100.72']
  const addresses = [...own, '127.0.0.1', '::1', '0.0.0.0', '203.0.113.5']
  await exit.say({ gone: addresses.map((address) => ({ id, address, port: 443 })) })
  expect((await listOf(relay)).cuts.map(({ address }) => address)).toEqual(['203.0.113.5'])
})

test('a wrong clock of a node is corrected in its sightings', async () => {
  const node = await product.onlyServer()
  const id = await buy()
  const ahead = (ms: number) => new Date(product.clock.now().getTime() + 86_400_000 - ms).toISOString()
  await node.say({
    now: ahead(0),
    online: [{ id, devices: [{ address: '203.0.113.1', seenAt: ahead(5_000) }] }],
  })
  const last_seen_at = new Date(product.clock.now().getTime() - 5_000)
  expect(await totalOf(id)).toMatchObject({ last_seen_at })
})
