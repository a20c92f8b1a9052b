import { type Call, calls, clearAbuse, getDashboard, nodeCalls } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { nodesForAllTests } from '../nodes.ts'
import type { Person } from '../product.ts'
import {
  type CallerKind,
  deadCallers,
  isDead,
  levelOf,
  liveCallers,
  openOtherServer,
  somebody,
  type TargetKind,
  targetFor,
  targetKinds,
  targetsWith,
  tokenFor,
} from './callers.ts'
import { type NodeCaller, nodeCaller, nodeCallers } from './node-callers.ts'
import { outcomeOf, sampleBody, targetOf } from './samples.ts'
import { bearer, json, readEnvelope, sameness, send } from './wire.ts'

const product = nodesForAllTests()
beforeAll(async () => {
  await product.server({ serverMaxAccounts: 100_000 })
  await openOtherServer(product)
})

const ownedFields = ['accountUUID', 'sessionId']

/** What the contract says of this cell, as the errorType or OK. */
function expected(call: Call, caller: CallerKind, target: TargetKind): string {
  if (call.access === 'anyone') return outcomeOf(call)
  if (isDead(caller)) return 'UNAUTHENTICATED'
  if (['admin', 'anyAdmin'].includes(call.access) && caller !== 'level 6') return 'ACCESS_DENIED'
  const isForAnyone = caller === 'level 6' && call.path === clearAbuse.path
  const isOwned = call.access === 'user' && ownedFields.includes(targetOf(call) ?? '') && !isForAnyone
  if (target === 'own' || (target === 'foreign' && !isOwned)) return outcomeOf(call)
  return call.refusals.includes('RESOURCE_NOT_FOUND') ? 'RESOURCE_NOT_FOUND' : outcomeOf(call)
}

/** Visitors to one call. Things that no visit could have changed are shown to the next one too. */
async function matrixOf(call: Call) {
  const field = targetOf(call)
  const [dead, stranger] = [await somebody(product, 6), await somebody(product, 6)]
  const untouched = new Map<string, string>()

  async function targetOfCell(person: Person, target: TargetKind, isRefused: boolean): Promise<string> {
    if (!field) return ''
    const key = `${target === 'foreign' ? '' : person.id} ${target}`
    const value = untouched.get(key) ?? (await targetFor(product, { person, stranger }, field, target))
    if (isRefused) untouched.set(key, value)
    else untouched.delete(key)
    return value
  }

  async function visit(kind: CallerKind, person: Person, target: TargetKind) {
    const isRefused = expected(call, kind, target) !== 'OK'
    const value = await targetOfCell(person, target, isRefused)
    const token = await tokenFor(product, person, kind)
    const body = JSON.stringify(sampleBody(call, targetsWith(field, value)))
    return send(product.url, { path: call.path, headers: { ...json, ...bearer(token) }, body })
  }

  return {
    personOf: async (kind: CallerKind) => (isDead(kind) ? dead : somebody(product, levelOf(kind))),
    visit,
  }
}

test('every call of the contract is in the matrix', () => {
  const targets = targetsWith(null, '')
  for (const call of [...calls, ...nodeCalls])
    expect(call.input.safeParse(sampleBody(call, targets)).error).toBeUndefined()
  expect(calls.filter((call) => call.access === 'anyone').map((call) => call.path)).toEqual([
    '/api/v1/auth/signin',
    '/api/v1/auth/signup',
    '/api/v1/accounts/sendotp',
    '/api/v1/accounts/checkotp',
  ])
})

test.each(calls.map((call) => [call.path, call] as const))('who may call %s', async (_, call) => {
  const { personOf, visit } = await matrixOf(call)
  const refusals = new Map<string, Set<string>>()
  for (const caller of [...deadCallers, ...liveCallers]) {
    const person = await personOf(caller)
    for (const target of targetOf(call) ? targetKinds : (['own'] as const)) {
      const reply = await visit(caller, person, target)
      expect(reply.headers['cache-control']).toBe('no-store')
      const outcome = readEnvelope(reply).error?.errorType ?? 'OK'
      expect(outcome, `${caller}, ${target}`).toBe(expected(call, caller, target))
      if (outcome !== 'OK') refusals.set(outcome, (refusals.get(outcome) ?? new Set()).add(sameness(reply)))
    }
  }
  for (const [type, replies] of refusals) expect([...replies], `replies of ${type}`).toHaveLength(1)
})

/** At the listener of nodes, with a certificate of that kind and the token of an administrator besides. */
async function visitAsNode(call: Call, kind: NodeCaller): Promise<string> {
  const agent = await nodeCaller(product, kind)
  const body = JSON.stringify(sampleBody(call, targetsWith(null, '')))
  const letter = { path: call.path, headers: { ...json, ...bearer(product.admin.token) }, body }
  const reply = await send(product.nodesUrl, letter, agent).catch(() => null)
  agent.destroy()
  return reply ? (readEnvelope(reply).error?.errorType ?? 'OK') : 'no TLS'
}

test.each(nodeCalls.map((call) => [call.path, call] as const))('which nodes may call %s', async (_, call) => {
  for (const [kind, outcome] of Object.entries(nodeCallers))
    expect(await visitAsNode(call, kind as NodeCaller), kind).toBe(outcome)
})

test.each(nodeCalls.map((call) => [call.path, call] as const))(
  'nobody else may call %s',
  async (path, call) => {
    const body = JSON.stringify(sampleBody(call, targetsWith(null, '')))
    for (const kind of [...deadCallers, ...liveCallers]) {
      const token = await tokenFor(product, await somebody(product, levelOf(kind)), kind)
      const reply = await send(product.url, { path, headers: { ...json, ...bearer(token) }, body })
      expect(readEnvelope(reply).error?.errorType, kind).toBe('RESOURCE_NOT_FOUND')
    }
  },
)

test('a certificate opens no call of people, with the token of an administrator or without', async () => {
  const agent = await nodeCaller(product, "a server's agent")
  for (const call of calls)
    for (const token of [undefined, product.admin.token]) {
      const body = JSON.stringify(sampleBody(call, targetsWith(null, '')))
      const letter = { path: call.path, headers: { ...json, ...bearer(token) }, body }
      const reply = await send(product.nodesUrl, letter, agent)
      expect(readEnvelope(reply).error?.errorType, call.path).toBe('RESOURCE_NOT_FOUND')
    }
})

test('the level is read on every request: a change in the database holds for the next one', async () => {
  const person = await product.person({ level: 5 })
  const setLevel = (level: number) =>
    product.ctx.db.updateTable('users').set({ level }).where('id', '=', person.id).execute()
  const outcomes: number[] = []
  for (const level of [5, 6, 5, 10, 0]) {
    await setLevel(level)
    outcomes.push((await person.call(getDashboard, {})).status)
  }
  expect(outcomes).toEqual([403, 200, 403, 200, 403])
})
