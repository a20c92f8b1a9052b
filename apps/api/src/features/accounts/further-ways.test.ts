import {
  deleteAccount,
  deleteAnyAccount,
  deleteBulk,
  getAccount,
  getServer,
  getUsage,
  moveAccount,
  moveHostAccounts,
  newAccount,
  newSecret,
  type SentAccount,
  searchEverywhere,
  setEnabled,
  setSettings,
} from '@kelid/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { expectSoundBooks } from '../../../test/faults/races.ts'
import { nodesForAllTests, type ServerNode } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount, unusedAddress } from '../../../test/sample-hosts.ts'
import { writeHealth } from '../health/health.store.ts'

const product = nodesForAllTests()
let person: Person
beforeAll(async () => {
  person = await product.person({ points: 1_000_000 })
  await product.admin.ask(setSettings, { waysPerAccount: { 'hysteria2-direct': 3 } })
})

/** Only these take new accounts. */
let nodes: ServerNode[]
const open = async (count: number) => {
  await product.ctx.db.updateTable('servers').set({ paused: true }).execute()
  nodes = []
  for (const countryId of [276, 528, 276, 40].slice(0, count)) {
    const node = await product.onlyServer({ countryId, serverIPV4: unusedAddress() })
    nodes.push(node)
  }
  for (const { uuid } of nodes) await product.setRow('servers', uuid, { paused: false })
}
beforeEach(() => open(4))

const buy = (change: object = {}): Promise<SentAccount> =>
  person.ask(newAccount, { ...directAccount, ...change })
const read = ({ accountUUID }: SentAccount) => person.ask(getAccount, { accountUUID })
const holders = async ({ accountUUID }: SentAccount) => {
  const lists = await Promise.all(nodes.map((node) => node.list()))
  return nodes.filter((_, index) => lists[index]?.accounts?.some(({ id }) => id === accountUUID))
}
const at = (node: ServerNode | undefined) => node?.uuid ?? ''
const serversOf = async ({ accountUUID }: SentAccount) =>
  (
    await product.sql(
      'SELECT server_uuid FROM placements WHERE account_uuid = $1 ORDER BY position',
      accountUUID,
    )
  ).map(({ server_uuid }) => server_uuid as string)

test('an account gets as many servers as its type has ways, each different, or as many as there are', async () => {
  const account = await buy()
  expect(account.accountWays).toHaveLength(3)
  expect(account.accountWays?.[0]).toMatchObject({ accountQRString: account.accountQRString, wayDown: false })
  expect(new Set(account.accountWays?.map(({ accountQRString: link }) => new URL(link).host)).size).toBe(3)
  expect(await holders(account)).toHaveLength(3)
  expect((await read(account)).accountWays).toEqual(account.accountWays)
  expect((await buy({ countryId: 276 })).accountWays).toHaveLength(2)
  await expectSoundBooks(product.ctx.db)
})

test('a type with one way gets one server, as before', async () => {
  await product.admin.ask(setSettings, { waysPerAccount: { 'hysteria2-direct': 1 } })
  const account = await buy()
  expect(account.accountWays).toHaveLength(1)
  expect(await holders(account)).toHaveLength(1)
  await product.admin.ask(setSettings, { waysPerAccount: { 'hysteria2-direct': 3 } })
})

test('a change is applied when the nodes of all ways have applied it', async () => {
  const account = await buy()
  const { accountUUID } = account
  const held = await holders(account)
  const lists = await Promise.all(held.map((node) => node.list()))
  const say = async (index: number, revision: number) => {
    const { epoch, number } = (await held[index]?.list()) ?? { epoch: '', number: 0 }
    await held[index]?.say({ epoch, number, applied: [{ id: accountUUID, revision }] })
    return (await read(account)).accountApplied
  }
  expect(lists.map((list) => list.accounts?.find(({ id }) => id === accountUUID)?.revision)).toEqual([
    1, 1, 1,
  ])
  await say(0, 1)
  await say(1, 1)
  expect(await say(2, 1)).toBe('applied')
  await person.ask(setEnabled, { accountUUID, accountEnabled: false })
  expect(await say(0, 2)).toBe('waiting')
  expect(await say(1, 2)).toBe('waiting')
  expect(await say(2, 2)).toBe('applied')
})

test('each host has another secret, search finds the account by each, and a new key changes all', async () => {
  const account = await buy()
  const secrets = async () =>
    Promise.all(
      (await holders(account)).map(async (node) => {
        const { accounts } = await node.list()
        return accounts?.find(({ id }) => id === account.accountUUID)?.secret ?? ''
      }),
    )
  const before = await secrets()
  expect(new Set(before).size).toBe(3)
  const links = account.accountWays?.map(({ accountQRString }) => accountQRString) ?? []
  expect(links.map((link) => new URL(link).username).sort()).toEqual([...before].sort())
  for (const search of links) {
    const { items } = await product.admin.ask(searchEverywhere, { search })
    expect(items).toMatchObject([{ kind: 'account', id: account.accountUUID }])
  }
  await person.ask(newSecret, { accountUUID: account.accountUUID })
  const after = await secrets()
  expect(new Set([...before, ...after]).size).toBe(6)
})

test('bytes of all ways are the account’s, and each way tells when it was used', async () => {
  const account = await buy()
  const { accountUUID: id } = account
  const seenDates = async () =>
    (await read(account)).accountWays?.map(({ wayLastSeenDate }) => wayLastSeenDate !== null)
  const now = product.clock.now().toISOString()
  const core = { version: '26.3.27', bootId: 'boot-1', upSince: now }
  const [first, ...others] = await holders(account)
  await first?.say({ core, usage: [{ id, up: 1_000, down: 2_000 }] })
  expect((await seenDates())?.filter(Boolean)).toHaveLength(1)
  for (const node of others) await node.say({ core, usage: [{ id, up: 1_000, down: 2_000 }] })
  expect(await person.ask(getUsage, { accountUUID: id })).toMatchObject({
    usageTotal: { up: 3_000, down: 6_000 },
  })
})

test('the subscription has all ways by country and type, those that work first, with groups that fail over', async () => {
  const account = await buy()
  const file = async (format: string) =>
    (await product.raw(`${account.accountSubscriptionPath}?format=${format}`)).text()
  const names = async () =>
    Buffer.from(await file('links'), 'base64')
      .toString()
      .split('\n')
      .map((link) => decodeURIComponent(new URL(link).hash))
  const before = await names()
  expect(before).toHaveLength(3)
  for (const name of before)
    expect(name).toMatch(/^#ali_phone (?:Germany|Netherlands|Austria) Hysteria2(?: 2)?$/)
  expect(new Set(before).size).toBe(3)
  const { outbounds, route } = JSON.parse(await file('sing-box'))
  expect(outbounds.slice(0, 2)).toMatchObject([
    { type: 'selector', tag: 'Proxy', outbounds: ['Auto', ...before.map((name) => name.slice(1))] },
    { type: 'urltest', tag: 'Auto', interval: '15s', interrupt_exist_connections: true },
  ])
  expect(route.final).toBe('Proxy')
  expect(await file('clash')).toContain('type: "fallback"')
  const [auto, ...single] = JSON.parse(await file('xray'))
  expect([auto.remarks, auto.outbounds.length, single.length]).toEqual(['Auto', 4, 3])

  const [first = ''] = await serversOf(account)
  const down = { health: 'down', reason: 'TIMEOUT', detail: '' } as const
  await writeHealth(product.ctx.db, { kind: 'server', uuid: first }, product.clock.now(), down)
  expect((await names()).map((name) => name.replace(/ 2$/, ''))).toEqual(
    [...before.slice(1), ...before.slice(0, 1)].map((name) => name.replace(/ 2$/, '')),
  )
  expect((await read(account)).accountWays?.map(({ wayDown }) => wayDown)).toEqual([false, false, true])

  const [, second = ''] = await serversOf(account)
  const up = { health: 'up', reason: 'ANSWERED', detail: '' } as const
  await writeHealth(product.ctx.db, { kind: 'server', uuid: second }, product.clock.now(), up)
  const page = await product.raw(account.accountSubscriptionPath, { headers: { accept: 'text/html' } })
  const states = [...(await page.text()).matchAll(/<li><bdi>[^<]*<\/bdi><span class="state (\w+)/g)]
  expect(states.map(([, state]) => state)).toEqual(['good', 'unknown', 'bad'])
})

test('deleting gives all places back and removes the account from all nodes', async () => {
  const [one, two, three] = [await buy(), await buy(), await buy()]
  await person.ask(deleteAccount, { accountUUID: one.accountUUID })
  await person.ask(deleteBulk, { accountUUIDs: [two.accountUUID] })
  await product.admin.ask(deleteAnyAccount, { accountUUID: three.accountUUID, reason: 'a test' })
  for (const account of [one, two, three]) expect(await holders(account)).toEqual([])
  await expectSoundBooks(product.ctx.db)
  for (const { uuid } of nodes)
    expect((await product.admin.ask(getServer, { serverUUID: uuid })).serverAccounts).toBe(0)
})

test('moving a host’s accounts moves its ways, and an account has one way to the target', async () => {
  await open(3)
  const account = await buy()
  const before = await serversOf(account)
  expect(before).toHaveLength(3)
  const [first = '', second = '', third = ''] = before
  const move = async (hostUUID: string, toHostUUID: string) => {
    const { serverAccounts: accounts } = await product.admin.ask(getServer, { serverUUID: hostUUID })
    await product.admin.ask(moveHostAccounts, { hostUUID, toHostUUID, accounts })
    await expectSoundBooks(product.ctx.db)
    return serversOf(account)
  }
  // A further way to a server that has none of the account's.
  const free = await product.onlyServer({ countryId: 276, serverIPV4: unusedAddress() })
  await product.ctx.db.updateTable('servers').set({ paused: false }).execute()
  expect(await move(second, at(free))).toEqual([first, at(free), third])
  // The first way to where a further one leads.
  expect(await move(first, third)).toEqual([third, at(free)])
  // A further way to where the first one leads.
  expect(await move(at(free), third)).toEqual([third])
})

test('one account moves to a server that it has a further way to', async () => {
  const account = await buy()
  const [first = '', second = ''] = await serversOf(account)
  await product.admin.ask(moveAccount, { accountUUID: account.accountUUID, toServerUUID: second })
  const after = await serversOf(account)
  expect(after[0]).toBe(second)
  expect(after).toHaveLength(2)
  expect(after).not.toContain(first)
  await expectSoundBooks(product.ctx.db)
})
