import type { Agent } from 'node:https'
import {
  allowShrink,
  desired,
  getAudit,
  getDashboard,
  hello,
  newAccount,
  renewCertificate,
  report,
  revokeNode,
  setEnabled,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { agentOf, nodesForAllTests, outcomeOf } from '../../../test/nodes.ts'
import { directAccount } from '../../../test/sample-hosts.ts'
import { emptyReport } from '../../../test/security/samples.ts'

const product = nodesForAllTests()

const greet = (agent: Agent) =>
  outcomeOf(product.ask(agent, hello, { coreVersion: '', now: product.clock.now().toISOString() }))
const renew = (agent: Agent) =>
  product.ask(agent, renewCertificate, {}).then(
    (identity) => ({ identity, outcome: 'OK' }),
    (error: { type?: string }) => ({ identity: null, outcome: error.type }),
  )
const audited = async (subject: string) =>
  (await product.admin.ask(getAudit, { subject })).items.map(({ auditAction }) => auditAction)

test('a node gets at most one new certificate an hour, and the old one stays valid', async () => {
  const { agent } = await product.onlyServer()
  const [one, two] = await Promise.all([renew(agent), renew(agent)])
  expect([one.outcome, two.outcome].sort()).toEqual(['OK', 'TOO_MANY_ATTEMPTS'])
  const fresh = agentOf((one.identity ?? two.identity) as NonNullable<typeof one.identity>)
  expect([await greet(fresh), await greet(agent)]).toEqual(['OK', 'OK'])
  expect((await renew(fresh)).outcome).toBe('TOO_MANY_ATTEMPTS')
  const begin = product.clock.now()
  product.clock.advance(60 * 60_000)
  const again = await renew(fresh)
  product.clock.set(begin)
  expect(again.outcome).toBe('OK')
  fresh.destroy()
})

test('an administrator revokes all certificates of a host, which is refused at once', async () => {
  const { uuid, agent } = await product.onlyServer()
  const stolen = await product.nodeOf(uuid)
  const { identity } = await renew(stolen)
  const renewed = agentOf(identity as NonNullable<typeof identity>)
  const { epoch, digest } = await product.ask(agent, desired, { epoch: '', digest: '' })
  const waiting = product
    .ask(agent, desired, { epoch, digest })
    .catch((error: { type?: string }) => error.type)
  await product.admin.ask(revokeNode, { hostUUID: uuid })
  expect(await waiting).toBe('UNAUTHENTICATED')
  for (const one of [agent, stolen, renewed]) expect(await greet(one)).toBe('UNAUTHENTICATED')
  expect((await renew(stolen)).outcome).toBe('UNAUTHENTICATED')
  expect(await audited(uuid)).toContain('revokenode')
  expect(await greet(await product.nodeOf(uuid)), 'set up again').toBe('OK')
  renewed.destroy()
})

test('revoking refuses certificates that a restored database does not know, and no later ones', async () => {
  const begin = product.clock.now()
  const { uuid, agent } = await product.onlyServer()
  const { uuid: other, agent: neighbour } = await product.onlyServer()
  await product.ctx.db.deleteFrom('node_certificates').where('host_uuid', 'in', [uuid, other]).execute()
  expect(await greet(agent), 'a restored database still lets its hosts in').toBe('OK')
  const { epoch, digest } = await product.ask(agent, desired, { epoch: '', digest: '' })
  const waiting = product
    .ask(agent, desired, { epoch, digest })
    .catch((error: { type?: string }) => error.type)
  await product.admin.ask(revokeNode, { hostUUID: uuid })
  expect(await waiting).toBe('UNAUTHENTICATED')
  expect([await greet(agent), (await renew(agent)).outcome]).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED'])
  expect(await greet(neighbour), 'another host').toBe('OK')

  const next = await product.nodeOf(uuid)
  expect([await greet(next), (await renew(next)).outcome], 'set up again').toEqual(['OK', 'OK'])
  product.clock.advance(60 * 60_000)
  const later = await product.nodeOf(uuid)
  await product.ctx.db.deleteFrom('node_certificates').where('host_uuid', '=', uuid).execute()
  expect([await greet(later), await greet(agent)], 'restored once more, later').toEqual([
    'OK',
    'UNAUTHENTICATED',
  ])
  product.clock.set(begin)
})

test('a host that refuses its list raises an alert until it accepts one; a smaller list is allowed once, for ten minutes', async () => {
  const { uuid, agent } = await product.onlyServer()
  const person = await product.person({ points: 10_000 })
  const { accountUUID } = await person.ask(newAccount, directAccount)
  const listOf = () => product.ask(agent, desired, { epoch: '', digest: '' })
  const say = (refusedList: '' | 'smaller', current: { epoch: string; number: number; digest: string }) =>
    product.ask(agent, report, {
      ...emptyReport(),
      epoch: current.epoch,
      number: current.number,
      digest: current.digest,
      refusedList,
    })
  const alarms = async () =>
    (await product.admin.ask(getDashboard, {})).refusingHosts.filter((one) => one.uuid === uuid)
  const current = await listOf()
  await say('', current)
  expect(await alarms()).toEqual([])
  await say('smaller', current)
  const sinceDate = product.clock.now().toISOString()
  product.clock.advance(1_000)
  await say('smaller', current)
  expect(await alarms()).toEqual([
    { subject: 'server', uuid, name: 'fra-1', refusedList: 'smaller', sinceDate },
  ])

  const allow = () => product.admin.ask(allowShrink, { hostUUID: uuid })
  await allow()
  expect(await audited(uuid)).toContain('allowshrink')
  expect((await listOf()).mayShrink).toBe(true)
  await say('smaller', current)
  expect((await listOf()).mayShrink, 'the old list uses nothing up').toBe(true)
  product.clock.advance(10 * 60_000)
  expect((await listOf()).mayShrink).toBe(false)
  await allow()
  await person.call(setEnabled, { accountUUID, accountEnabled: false })
  const next = await listOf()
  expect(next.mayShrink).toBe(true)
  await say('', { ...next, epoch: '' })
  expect((await listOf()).mayShrink, 'of another database').toBe(true)
  await say('', next)
  expect((await listOf()).mayShrink).toBe(false)
  expect(await alarms()).toEqual([])
})
