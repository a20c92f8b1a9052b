import { expect, test } from 'vitest'
import { nodesForAllTests } from '../../../test/nodes.ts'
import { probeAccountOf } from '../hosts/probe-account.ts'

const product = nodesForAllTests({
  env: { KELID_PROBES: 'yes' },
})

test("a server's list has the probe's account, and reports about it raise no alert and leave no trace", async () => {
  const [server, other] = [await product.onlyServer(), await product.onlyServer()]
  const { id, secret } = probeAccountOf(product.ctx, server.uuid)
  const { accounts, number, epoch } = await server.list()
  expect(accounts).toMatchObject([{ id, secret, enabled: true, revision: 1 }])
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const theirs = probeAccountOf(product.ctx, other.uuid)
  expect([theirs.id, theirs.secret]).not.toContain(secret)

  const seenAt = product.clock.now().toISOString()
  const devices = [1, 2, 3, 4, 5].map((host) => ({ address: `198.51.100.${host}`, seenAt }))
  const about = {
    ...{ epoch, number, now: seenAt, applied: [{ id, revision: 1 }] },
    core: { version: '26.3.27', bootId: 'b', upSince: seenAt },
    usage: [{ id, up: 1_000, down: 2_000 }],
    online: [{ id, devices }],
    gone: [{ id, address: '198.51.100.1', port: 4_000 }],
  }
  expect((await product.row('servers', server.uuid)).probe_applied_at).toBeNull()
  await server.say(about)
  expect((await product.row('servers', server.uuid)).probe_applied_at).not.toBeNull()
  await other.say({ ...about, number: 0 })
  expect((await product.row('servers', other.uuid)).probe_applied_at).toBeNull()
  for (const table of [
    'node_alerts',
    'usage_counters',
    'usage_totals',
    'devices',
    'crowds',
    'node_cuts',
    'accounts',
  ])
    expect(await product.sql(`SELECT * FROM ${table}`), table).toEqual([])
})

test('without probes a new server gets no such account, and one that has it keeps it disabled', async () => {
  const [has, never] = [await product.onlyServer(), await product.onlyServer()]
  await product.setRow('servers', has.uuid, { probe_applied_at: product.clock.now() })
  const { ctx } = product
  const config = ctx.config as { KELID_PROBE_URL: string }
  const page = config.KELID_PROBE_URL
  config.KELID_PROBE_URL = ''
  expect((await has.list()).accounts).toMatchObject([{ enabled: false }])
  expect((await never.list()).accounts).toEqual([])
  config.KELID_PROBE_URL = page
})
