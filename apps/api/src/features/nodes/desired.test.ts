import type { Agent } from 'node:https'
import {
  day,
  deleteAccount,
  deleteAnyAccount,
  deleteBulk,
  desired,
  extendDuration,
  moveAccount,
  moveHostAccounts,
  newAccount,
  removeHost,
  setEnabled,
  setSpeed,
  setUserSuspended,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { openForAllTests } from '../../../test/hooks.ts'
import { loseAccounts, nodesForAllTests, openProductWithNodes } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'
import { until } from '../../../test/until.ts'
import { expireAccounts } from '../accounts/expire.job.ts'

const product = nodesForAllTests()
const openAnother = () => openProductWithNodes({ database: product.database, clock: product.clock })
const second = openForAllTests(openAnother)

const nothing = { epoch: '', digest: '' }
const stateOf = ({ epoch, digest }: { epoch: string; digest: string }) => ({ epoch, digest })
const listOf = (agent: Agent, at = product) => at.ask(agent, desired, nothing)

const buy = (person: Person, accountDuration = 30) =>
  person.ask(newAccount, { ...directAccount, accountDuration })

/** Changes whenever a list is composed. */
const composed = async () =>
  (await product.sql(`SELECT string_agg(xmax::text, ' ' ORDER BY host_uuid) AS holders FROM node_lists`))[0]
    .holders

/** Asks with what it holds, and sees to it that the question waits before the change is made. */
async function changedList(agent: Agent, change: () => Promise<unknown>, at = product) {
  const current = await listOf(agent, at)
  let isAnswered = false
  const before = await composed()
  const answer = at.ask(agent, desired, stateOf(current)).finally(() => {
    isAnswered = true
  })
  await until(async () => (await composed()) !== before, 'the list to be compared')
  expect(isAnswered).toBe(false)
  const began = performance.now()
  await change()
  const list = await answer
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(list.number).toBeGreaterThan(current.number)
  return list
}

test('a node gets only its own accounts with their secrets, and a tunnel none', async () => {
  const person = await product.person({ points: 100_000 })
  const one = await product.onlyServer()
  const first = await buy(person)
  const other = await product.onlyServer()
  const foreign = await buy(person)
  const tunnel = await product.nodeOf(await product.tunnel())
  const list = await listOf(one.agent)
  expect(list).toMatchObject({ mayShrink: false, cuts: [], now: product.clock.now().toISOString() })
  expect(list.accounts).toEqual([
    {
      id: first.accountUUID,
      revision: 1,
      secret: expect.stringMatching(/^[0-9a-f-]{36}$/),
      enabled: true,
      expiresAt: first.accountExpireDate,
      maxDevices: 2,
      refused: [],
    },
  ])
  expect(first.accountQRString).toContain(list.accounts?.[0]?.secret)
  expect((await listOf(other.agent)).accounts).toMatchObject([{ id: foreign.accountUUID }])
  expect((await listOf(tunnel)).accounts).toEqual([])
  expect(await listOf(one.agent)).toEqual({ ...list, now: expect.any(String) })
  expect(product.logs.join('')).not.toContain(list.accounts?.[0]?.secret)
})

test('every change of an account reaches its node at once, also through another instance', async () => {
  const person = await product.person({ points: 100_000 })
  const { agent } = await product.onlyServer()
  let { accountUUID } = await buy(person, 2)
  const state = async (change: () => Promise<unknown>, at = second) =>
    (await changedList(agent, change, at)).accounts?.map(({ enabled, revision }) => `${enabled} ${revision}`)
  const by = (call: typeof setEnabled, accountEnabled: boolean) => () =>
    person.call(call, { accountUUID, accountEnabled })
  expect(await state(by(setEnabled, false))).toEqual(['false 2'])
  expect(await state(by(setEnabled, true), product)).toEqual(['true 3'])
  expect(await state(() => person.call(extendDuration, { accountUUID, accountDuration: 1 }))).toEqual([
    'true 4',
  ])
  const suspend = (userSuspended: boolean) => () =>
    product.admin.call(setUserSuspended, {
      userEmail: person.email,
      userSuspended,
      closeAccounts: userSuspended,
      reason: 'does not pay',
    })
  expect(await state(suspend(true))).toEqual(['false 5'])
  expect(await state(suspend(false))).toEqual(['true 6'])
  expect(await state(() => product.abuse(accountUUID))).toEqual(['false 7'])
  const owner = await product.again(person)
  expect(await state(async () => owner.call(deleteAccount, { accountUUID }))).toEqual([])
  await state(async () => {
    accountUUID = (await buy(owner, 1)).accountUUID
  })
  const began = product.clock.now()
  product.clock.advance(2 * day)
  const expired = await changedList(agent, () => expireAccounts(product.ctx))
  product.clock.set(began)
  expect(expired.accounts).toMatchObject([{ id: accountUUID, enabled: true, revision: 2 }])
})

test('a limit of speed reaches the node at once, and without one its list says nothing of it', async () => {
  const person = await product.person({ points: 100_000 })
  const { agent } = await product.onlyServer()
  const { accountUUID } = await buy(person)
  const listed = async (accountSpeedLimit: number | null) => {
    const change = () => person.ask(setSpeed, { accountUUID, accountSpeedLimit })
    const { accounts } = await changedList(agent, change)
    return accounts?.map(({ revision, speedLimit }) => [revision, speedLimit])
  }
  expect((await listOf(agent)).accounts?.[0]).not.toHaveProperty('speedLimit')
  expect([await listed(20), await listed(5), await listed(null)]).toEqual([
    [[2, 20]],
    [[3, 5]],
    [[4, undefined]],
  ])
})

test('an account that moves leaves one list and appears in the other', async () => {
  const person = await product.person({ points: 100_000 })
  const from = await product.onlyServer()
  const { accountUUID } = await buy(person)
  const to = await product.onlyServer()
  const leaving = changedList(from.agent, async () => {})
  const came = await changedList(to.agent, async () => {
    await product.admin.ask(moveAccount, { accountUUID, toServerUUID: to.uuid })
  })
  const left = await leaving
  expect(left.accounts).toEqual([])
  expect(came.accounts).toMatchObject([{ id: accountUUID, revision: 2 }])
})

test('the list counts accounts that were removed from the host, each once, and not lost ones', async () => {
  const person = await product.person({ points: 100_000 })
  const { agent, uuid } = await product.onlyServer()
  const accounts: string[] = []
  for (let count = 0; count < 10; count += 1) accounts.push((await buy(person)).accountUUID)
  const other = await product.server({ serverMaxAccounts: 100 })
  const removed = async () => (await listOf(agent)).removed ?? Number.NaN
  const [first = '', second = '', third = '', ...rest] = accounts
  expect(await removed()).toBe(0)
  const races = await Promise.all([1, 2, 3].map(() => person.call(deleteAccount, { accountUUID: first })))
  expect(races.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await removed()).toBe(1)
  const bulk = { accountUUIDs: [second, first] }
  await Promise.all([person.call(deleteBulk, bulk), person.call(deleteBulk, bulk)])
  expect(await removed()).toBe(2)
  for (const toServerUUID of [other, uuid])
    await product.admin.ask(moveAccount, { accountUUID: third, toServerUUID })
  expect(await removed(), 'moved away and back').toBe(3)
  await product.admin.ask(deleteAnyAccount, { accountUUID: third, reason: 'a test' })
  expect(await removed()).toBe(4)
  await person.call(setEnabled, { accountUUID: rest[0] ?? '', accountEnabled: false })
  expect(await removed(), 'disabled').toBe(4)
  const all = { hostUUID: uuid, toHostUUID: other, accounts: rest.length }
  await product.admin.ask(moveHostAccounts, all)
  expect(await listOf(agent)).toMatchObject({ removed: 4 + rest.length, accounts: [] })
  const current = await listOf(await product.nodeOf(other))
  await loseAccounts(product)
  expect(await listOf(await product.nodeOf(other))).toMatchObject({ removed: current.removed, accounts: [] })
})

test('a list has either an account or its removal, also during deletions', async () => {
  const person = await product.person({ points: 100_000 })
  const { agent } = await product.onlyServer()
  const accounts: string[] = []
  for (let count = 0; count < 12; count += 1) accounts.push((await buy(person)).accountUUID)
  let isDone = false
  const deleting = (async () => {
    for (const accountUUID of accounts) await person.ask(deleteAccount, { accountUUID })
  })().finally(() => {
    isDone = true
  })
  do {
    const { removed, accounts: left } = await listOf(agent)
    expect((left?.length ?? 0) + (removed ?? 0)).toBe(12)
  } while (!isDone)
  await deleting
  expect(await listOf(agent)).toMatchObject({ removed: 12, accounts: [] })
})

test('concurrent changes: numbers rise with the lists, and the last list has all changes', async () => {
  const person = await product.person({ points: 100_000 })
  const { agent } = await product.onlyServer()
  const { accountUUID } = await buy(person)
  let current = await listOf(agent)
  const numbers = [current.number]
  const changes = (async () => {
    for (let round = 0; round < 20; round += 1)
      await person.ask(setEnabled, { accountUUID, accountEnabled: round % 2 === 1 })
  })()
  while (current.accounts?.[0]?.revision !== 21) {
    current = await product.ask(agent, desired, stateOf(current))
    numbers.push(current.number)
  }
  await changes
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
})

test('a node that is removed while it waits is refused', async () => {
  const { agent, uuid } = await product.onlyServer()
  const current = await listOf(agent)
  const waiting = product.ask(agent, desired, stateOf(current))
  const outcome = waiting.catch((error: { type?: string }) => error.type)
  await product.admin.ask(removeHost, { hostUUID: uuid })
  expect(await outcome).toBe('UNAUTHENTICATED')
})

test('an instance that stops answers its waiting nodes with an unchanged list', async () => {
  const third = await openAnother()
  const { agent } = await product.onlyServer()
  const current = await listOf(agent, third)
  const before = await composed()
  const waiting = third.ask(agent, desired, stateOf(current))
  await until(async () => (await composed()) !== before, 'the list to be compared')
  const began = performance.now()
  await third.close()
  expect(await waiting).toMatchObject({ accounts: null, digest: current.digest, number: current.number })
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('changes during a lost database connection are found', async () => {
  const person = await product.person({ points: 100_000 })
  const { agent } = await product.onlyServer()
  const list = await changedList(agent, async () => {
    await product.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kelid nodes' AND datname = current_database()",
    )
    await buy(person)
  })
  expect(list.accounts).toHaveLength(1)
})
