import type { Agent } from 'node:https'
import {
  type Answer,
  day,
  deleteAccount,
  getHostFigures,
  getUsage,
  hello,
  newAccount,
  removeHost,
  setEnabled,
} from '@kelid/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Body } from '../../../test/calls.ts'
import { nodesForAllTests } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount, trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'

const product = nodesForAllTests()
let begin: Date
beforeAll(async () => {
  begin = product.clock.now()
})
beforeEach(() => product.clock.set(begin))

const greet = (agent: Agent, ahead: number) =>
  product.ask(agent, hello, {
    clientVersion: '1.4.2',
    coreVersion: '26.3.27',
    now: new Date(product.clock.now().getTime() + ahead).toISOString(),
  } as Body<typeof hello>)
const rich = () => product.person({ points: 10_000, tunnelCredit: 1_000 })
const buy = async (person: Person, body: Body<typeof newAccount> = directAccount) =>
  (await person.ask(newAccount, body)).accountUUID
const figures = async (hostUUID: string): Promise<Answer<typeof getHostFigures>> => {
  const admin = await product.again(product.admin)
  return await admin.ask(getHostFigures, { hostUUID })
}

test('a host without a heartbeat is reported as such, and its accounts are counted', async () => {
  const { uuid } = await product.onlyServer()
  const person = await rich()
  const ids = [await buy(person), await buy(person), await buy(person)]
  await person.call(setEnabled, { accountUUID: ids[0] ?? '', accountEnabled: false })
  const nothing = { up: 0, down: 0 }
  expect(await figures(uuid)).toEqual({
    hostActiveAccounts: 2,
    hostAccounts: 3,
    hostAbusedAccounts: 0,
    hostAlerts: [],
    hostTroubles: [],
    hostTrafficToday: nothing,
    hostTrafficMonth: nothing,
    hostTrafficTotal: nothing,
    hostConnections: null,
    hostLoad: null,
    agentVersion: '',
    coreVersion: '',
    coreSinceDate: null,
    clockOffsetMs: null,
    agentHeardDate: null,
    agentSilent: false,
  })
  product.clock.advance(365 * day)
  expect(await figures(uuid)).toMatchObject({ hostActiveAccounts: 0, hostAccounts: 3 })
})

test("figures come from the agent's reports, and after a minute without one the host is silent", async () => {
  const { uuid, agent, say } = await product.onlyServer()
  await greet(agent, -90_000)
  expect(await figures(uuid)).toMatchObject({
    agentVersion: '1.4.2',
    coreVersion: '26.3.27',
    clockOffsetMs: -90_000,
    hostConnections: null,
    hostLoad: null,
  })
  product.clock.advance(10_000)
  const upSince = begin.toISOString()
  await say({ connections: 42, load: 0.75, core: { version: '26.3.28', bootId: 'one', upSince } })
  expect(await figures(uuid)).toMatchObject({
    hostConnections: 42,
    hostLoad: 0.75,
    coreVersion: '26.3.28',
    coreSinceDate: upSince,
    agentHeardDate: product.clock.now().toISOString(),
    agentSilent: false,
  })
  product.clock.advance(60_000)
  expect(await figures(uuid)).toMatchObject({ agentSilent: true, hostConnections: 42 })
})

test('a tunnel sums the usage of its customers on all servers, also of a removed one', async () => {
  const person = await rich()
  const first = await product.onlyServer(trojanServer())
  const tunnel = await product.tunnel()
  const ofFirst = await buy(person, tunnelledAccount)
  await first.say({ usage: [{ id: ofFirst, up: 1, down: 10 }] })
  const second = await product.onlyServer(trojanServer())
  const ofSecond = await buy(person, tunnelledAccount)
  await second.say({ usage: [{ id: ofSecond, up: 2, down: 20 }] })
  expect((await figures(second.uuid)).hostTrafficTotal).toEqual({ up: 2, down: 20 })
  expect(await figures(tunnel)).toMatchObject({
    hostActiveAccounts: 2,
    hostAccounts: 2,
    hostTrafficToday: { up: 3, down: 30 },
    hostTrafficTotal: { up: 3, down: 30 },
  })
  await person.call(deleteAccount, { accountUUID: ofFirst })
  await product.admin.ask(removeHost, { hostUUID: first.uuid })
  await product.job('purge')
  expect(await figures(tunnel)).toMatchObject({ hostAccounts: 1, hostTrafficTotal: { up: 3, down: 30 } })
})

test('nodes that invent endless bytes make no page unreadable', async () => {
  const { uuid, say } = await product.onlyServer()
  const person = await rich()
  const usage = [await buy(person), await buy(person)].map((id) => ({
    id,
    up: Number.MAX_SAFE_INTEGER,
    down: Number.MAX_SAFE_INTEGER,
  }))
  for (const bootId of ['one', 'two']) await say({ core: { version: '', bootId, upSince: '' }, usage })
  const { hostTrafficToday, hostTrafficTotal } = await figures(uuid)
  const much = { up: Number.MAX_SAFE_INTEGER, down: Number.MAX_SAFE_INTEGER }
  const { usageTotal } = await person.ask(getUsage, { accountUUID: usage[0]?.id ?? '' })
  expect([hostTrafficToday, hostTrafficTotal, usageTotal]).toEqual([much, much, much])
})

// Last: by the end of it everybody's session is over.
test('a server has its traffic of today, of 30 days and in total; repeated reports count once, deleted accounts still count', async () => {
  const { uuid, say } = await product.onlyServer()
  const person = await rich()
  const [one, two] = [await buy(person), await buy(person)]
  const count = (first: number, second: number) =>
    say({
      usage: [
        { id: one, up: first, down: 10 * first },
        { id: two, up: second, down: second },
      ],
    })
  await count(100, 5)
  await count(100, 5)
  await count(50, 2)
  expect((await figures(uuid)).hostTrafficTotal).toEqual({ up: 105, down: 1_005 })
  product.clock.advance(day)
  await count(130, 5)
  product.clock.advance(28 * day)
  await count(131, 5)
  const all = { up: 136, down: 1_315 }
  expect(await figures(uuid)).toMatchObject({
    hostTrafficToday: { up: 1, down: 10 },
    hostTrafficMonth: all,
    hostTrafficTotal: all,
  })
  product.clock.advance(day)
  await (await product.again(person)).call(deleteAccount, { accountUUID: one })
  await product.job('purge')
  expect(await figures(uuid)).toMatchObject({
    hostTrafficToday: { up: 0, down: 0 },
    hostTrafficMonth: { up: 31, down: 310 },
    hostTrafficTotal: all,
  })
})
