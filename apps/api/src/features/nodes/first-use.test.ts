import { day, getAccount, gigabyte, newAccount, setSettings } from '@kelid/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { nodesForAllTests, type ServerNode } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount, unusedAddress } from '../../../test/sample-hosts.ts'

const product = nodesForAllTests()
let person: Person
let bought: Date
beforeAll(() => {
  bought = product.clock.now()
})
/** Sessions end by the clock that tests move. */
beforeEach(async () => {
  product.clock.set(bought)
  person = await product.person({ points: 1_000_000 })
})

const after = (days: number) => new Date(bought.getTime() + days * day)

/** Thirty days that begin at first use, after ninety at the latest. */
async function accountWith(ways: number) {
  const nodes = [await product.onlyServer()]
  for (let way = 1; way < ways; way += 1)
    nodes.push(await product.serverNode(await product.server({ serverIPV4: unusedAddress() })))
  await product.admin.ask(setSettings, { waysPerAccount: { 'hysteria2-direct': ways } })
  const { accountUUID: id } = await person.ask(newAccount, directAccount)
  await product.setRow('accounts', id, { starts_by: after(90), expires_at: after(120) })
  return { id, nodes: nodes as [ServerNode, ...ServerNode[]] }
}
const begin = ({ say }: ServerNode, id: string, daysAfter: number, change: object = {}) =>
  say({ begun: [{ id, at: after(daysAfter).toISOString() }], ...change })
const datesOf = async (id: string) => {
  const { expires_at, starts_by, first_used_at, revision } = await product.row('accounts', id)
  return { expires_at, starts_by, first_used_at, revision }
}
const pass = (days: number) => product.clock.set(after(days))
const shownIn = async ({ list }: ServerNode) => (await list()).accounts?.[0]

test('days begin when the node saw the first byte, which it may say later, and the account and its list show it', async () => {
  const { id, nodes } = await accountWith(1)
  const [node] = nodes
  expect(await shownIn(node)).toMatchObject({
    startsBy: after(90).toISOString(),
    expiresAt: after(120).toISOString(),
    revision: 2,
  })
  pass(5)
  const events = async () =>
    (await product.sql('SELECT FROM events WHERE payload @> $1', { accountUUID: id })).length
  const before = await events()
  await begin(node, id, 2)
  const begun = { expires_at: after(32), starts_by: null, first_used_at: after(2), revision: 3 }
  expect(await datesOf(id)).toEqual(begun)
  expect((await events()) - before).toBe(1)
  for (const at of [2, 3, 5]) await begin(node, id, at)
  expect(await datesOf(id), 'said again').toEqual(begun)
  expect((await events()) - before).toBe(1)
  const shown = await shownIn(node)
  expect(shown).toMatchObject({ expiresAt: after(32).toISOString(), revision: 3 })
  expect(shown).not.toHaveProperty('startsBy')
  person = await product.again(person)
  expect(await person.ask(getAccount, { accountUUID: id })).toMatchObject({
    accountStart: 'now',
    accountFirstUseDate: after(2).toISOString(),
    accountDuration: 27,
  })
})

test.each([
  ['the earlier one first', [3, 4]],
  ['the later one first', [4, 3]],
])('two nodes that saw a first use agree on the earlier, %s', async (_, [one = 0, other = 0]) => {
  const { id, nodes } = await accountWith(2)
  const [first, second] = nodes as [ServerNode, ServerNode]
  pass(6)
  await begin(first, id, one)
  await begin(second, id, other)
  expect(await datesOf(id)).toMatchObject({ expires_at: after(33), starts_by: null, first_used_at: after(3) })
})

test('two nodes that report at once agree on the earlier', async () => {
  const { id, nodes } = await accountWith(3)
  pass(6)
  await Promise.all(nodes.map((node, index) => begin(node, id, 5 - index)))
  expect(await datesOf(id)).toMatchObject({ expires_at: after(33), first_used_at: after(3) })
})

test('an earlier use after a renewal moves the renewed end by the difference', async () => {
  const { id, nodes } = await accountWith(2)
  const [first, second] = nodes as [ServerNode, ServerNode]
  pass(6)
  await begin(first, id, 5)
  await product.setRow('accounts', id, { expires_at: after(65) })
  await begin(second, id, 1)
  expect(await datesOf(id)).toMatchObject({ expires_at: after(61), first_used_at: after(1) })
})

test('no node can say a time in the future, before the purchase, or after the latest beginning', async () => {
  const { id: early, nodes: one } = await accountWith(1)
  const { id: future, nodes: two } = await accountWith(1)
  const { id: late, nodes: three } = await accountWith(1)
  pass(5)
  await begin(one[0], early, -400)
  expect(await datesOf(early)).toMatchObject({ expires_at: after(30), first_used_at: after(0) })
  await begin(two[0], future, 50)
  expect(await datesOf(future)).toMatchObject({ expires_at: after(35), first_used_at: after(5) })
  await product.setRow('accounts', late, { starts_by: after(3), expires_at: after(33) })
  await begin(three[0], late, 4)
  expect(await datesOf(late)).toMatchObject({
    ...{ expires_at: after(33), starts_by: null, first_used_at: after(3) },
  })
})

test("a node's clock may be wrong, and days that began with the purchase do not move", async () => {
  const { id, nodes } = await accountWith(1)
  const [node] = nodes
  const { accountUUID: usual } = await person.ask(newAccount, directAccount)
  pass(5)
  await begin(node, id, 403, { now: after(405).toISOString() })
  expect(await datesOf(id)).toMatchObject({ first_used_at: after(3) })
  const before = await datesOf(usual)
  await begin(node, usual, 5)
  expect(await datesOf(usual)).toEqual(before)
})

test('the period of a data limit begins with the days', async () => {
  const { id, nodes } = await accountWith(2)
  const [first, second] = nodes as [ServerNode, ServerNode]
  await product.sql(
    'INSERT INTO data_limits (account_uuid, bytes, period_began_at) VALUES ($1, $2, $3)',
    ...[id, gigabyte, after(90)],
  )
  const periodOf = async () =>
    (await product.sql('SELECT period_began_at FROM data_limits WHERE account_uuid = $1', id))[0]
      .period_began_at
  pass(6)
  await begin(first, id, 5)
  expect(await periodOf()).toEqual(after(5))
  await begin(second, id, 4)
  expect(await periodOf()).toEqual(after(4))
  await product.sql('UPDATE data_limits SET period_began_at = $2 WHERE account_uuid = $1', id, after(34))
  await begin(second, id, 3)
  expect(await periodOf(), 'of a later period').toEqual(after(34))
})

test('a node begins the days of no account of another host', async () => {
  const { id } = await accountWith(1)
  const { nodes } = await accountWith(1)
  const before = await datesOf(id)
  await expect(begin(nodes[0], id, 0)).rejects.toMatchObject({ type: 'FOREIGN_REPORT' })
  expect(await datesOf(id)).toEqual(before)
})
