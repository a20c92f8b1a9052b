import { day, getDashboard, getHostFigures, nodeLimits, removeHost, troubleKinds } from '@kelid/contract'
import fastify from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { nodesForAllTests, outcomeOf, type ServerNode } from '../../../test/nodes.ts'
import { measure } from '../../http/metrics.ts'

const product = nodesForAllTests()
let node: ServerNode
beforeEach(async () => {
  node = await product.onlyServer()
})

const hung = { kind: 'core-hung', detail: '', repaired: false } as const
const full = { kind: 'disk', detail: '/var/log: 3 MB free', repaired: false } as const
const shown = async () =>
  (await (await product.again(product.admin)).ask(getDashboard, {})).hostTroubles.filter(
    ({ uuid }) => uuid === node.uuid,
  )
const metrics = async () =>
  (await measure(fastify(), product.ctx).metrics()).split('\n').filter((line) => line.includes(node.uuid))
const events = async () =>
  (await product.sql("SELECT FROM events WHERE payload::text LIKE '%' || $1 || '%'", node.uuid)).length

test('troubles are shown on dashboard, host page and metrics since they began, and are gone when they end', async () => {
  const began = product.clock.now().toISOString()
  expect(await node.say({})).toMatchObject({ understands: ['troubles', 'moved', 'leases', 'begun'] })
  const before = await events()
  await node.say({ troubles: [hung, full] })
  product.clock.advance(60_000)
  await node.say({ troubles: [hung, { ...full, detail: '/var/log: 2 MB free' }] })
  expect((await events()) - before).toBe(1)
  const row = { subject: 'server', uuid: node.uuid, name: 'fra-1', repaired: false, sinceDate: began }
  expect(await shown()).toEqual([
    { ...row, trouble: 'core-hung', detail: '' },
    { ...row, trouble: 'disk', detail: '/var/log: 2 MB free' },
  ])
  const admin = await product.again(product.admin)
  const { hostTroubles } = await admin.ask(getHostFigures, { hostUUID: node.uuid })
  expect(hostTroubles.map(({ trouble }) => trouble)).toEqual(['core-hung', 'disk'])

  await node.say({ troubles: [{ ...hung, repaired: true }] })
  expect((await events()) - before).toBe(2)
  expect(await shown()).toEqual([{ ...row, trouble: 'core-hung', detail: '', repaired: true }])
  expect(await metrics()).toEqual([
    `kelid_host_trouble{kind="server",uuid="${node.uuid}",name="fra-1",trouble="core-hung"} 0`,
  ])
  await node.say({ troubles: [] })
  expect([await shown(), await metrics(), (await events()) - before]).toEqual([[], [], 3])
})

test('a restarted agent keeps its troubles until it lists them again, and those of an older agent end', async () => {
  await node.say({ troubles: [full] })
  await node.say({})
  expect(await shown()).toHaveLength(1)
  product.clock.advance(11 * 60_000)
  await node.say({})
  expect([await shown(), await metrics()]).toEqual([[], []])
})

test('a hostile host reports nothing but known kinds and short plain details, one of each kind', async () => {
  const say = (trouble: object) => outcomeOf(node.say({ troubles: [{ ...full, ...trouble }] } as never))
  expect(await say({ kind: 'sold' })).toBe('INCOMPLETE_INFORMATION')
  for (const detail of ['x'.repeat(nodeLimits.detailMax + 1), 'two\nlines', '\u202eturned', '\ud83d'])
    expect(await say({ detail }), JSON.stringify(detail)).toBe('INCOMPLETE_INFORMATION')
  expect(await say({ more: 1 })).toBe('UNKNOWN_FIELD')
  const many = Array.from({ length: troubleKinds.length + 1 }, () => full)
  expect(await outcomeOf(node.say({ troubles: many }))).not.toBe('OK')
  expect(await shown()).toEqual([])
  await node.say({ troubles: [full, { ...full, detail: 'again' }] })
  expect(await shown()).toMatchObject([{ detail: 'again' }])
})

test('the troubles of a removed host are deleted', async () => {
  await node.say({ troubles: [full] })
  await product.admin.ask(removeHost, { hostUUID: node.uuid })
  expect(await shown()).toEqual([])
  product.clock.advance(day / 24)
  await product.job('purge')
  expect(await product.sql('SELECT FROM node_troubles WHERE host_uuid = $1', node.uuid)).toEqual([])
})
