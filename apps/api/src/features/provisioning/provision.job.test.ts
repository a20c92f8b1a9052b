import {
  getServer,
  getServerLog,
  getTunnelLog,
  provisionServer,
  provisionTunnel,
  setServerReady,
  type VpnType,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { provision } from './provision.job.ts'
import { openRuns } from './provisioning.store.ts'

const product = productForAllTests()

test('a server marked as ready while its run is under way stays ready', async () => {
  const serverUUID = await product.server()
  const { admin, ctx } = product
  await admin.ask(provisionServer, { serverUUID })
  const [run = ''] = await openRuns(ctx.db)
  let isMarked = false
  const interrupted = {
    ...ctx,
    atomically: async <T>(work: Parameters<typeof ctx.atomically<T>>[0]) => {
      if (!isMarked) {
        isMarked = true
        await admin.ask(setServerReady, { serverUUID, reason: 'set up by hand' })
      }
      return ctx.atomically(work)
    },
  }
  await provision(interrupted, run)
  expect((await admin.ask(getServer, { serverUUID })).serverState).toBe('ready')
})

test('a server of a VPN type that this version does not know is refused by name', async () => {
  const { admin, ctx } = product
  const serverUUID = await product.server()
  product.clock.advance(1_000)
  await admin.ask(provisionServer, { serverUUID })
  await product.setRow('servers', serverUUID, { vpn_type: 'pigeon' as VpnType })
  const configured = { ...ctx, config: { ...ctx.config, KELID_AGENT_URL: 'https://nodes.example.com:8443' } }
  for (const run of await openRuns(ctx.db)) await provision(configured, run)
  const { ansibleLog } = await admin.ask(getServerLog, { serverUUID })
  expect(ansibleLog).toContain('This version does not know the VPN type "pigeon"')
  await product.sql('DELETE FROM servers WHERE uuid = $1', serverUUID)
})

test.each(['127.0.0.1', '::1', '::ffff:169.254.169.254', '64:ff9b::7f00:1', 'fd00:ec2::254'])(
  'a name that leads to %s when the run begins is refused then',
  async (address) => {
    const { admin, ctx } = product
    const serverUUID = await product.server({ serverURL: 'inside.example.com/path' })
    const tunnelUUID = await product.tunnel({ tunnelURL: 'inside.example.com' })
    product.clock.advance(1_000)
    await admin.ask(provisionServer, { serverUUID })
    await admin.ask(provisionTunnel, { tunnelUUID })
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return ['192.0.2.10', address]
    }
    for (const run of await openRuns(ctx.db)) await provision({ ...ctx, resolve }, run)
    expect(asked).toEqual(['inside.example.com', 'inside.example.com'])
    expect((await admin.ask(getServer, { serverUUID })).serverState, 'it stays in service').toBe('ready')
    for (const { ansibleLog } of [
      await admin.ask(getServerLog, { serverUUID }),
      await admin.ask(getTunnelLog, { tunnelUUID }),
    ])
      expect(ansibleLog).toContain(`inside.example.com resolves to ${address}, which is reserved`)
  },
)

test('an address that was allowed once is refused by a run when it is no more', async () => {
  const { admin, ctx } = product
  const serverUUID = await product.server()
  await product.setRow('servers', serverUUID, { ipv4: '127.0.0.1' })
  product.clock.advance(1_000)
  await admin.ask(provisionServer, { serverUUID })
  for (const run of await openRuns(ctx.db)) await provision({ ...ctx, resolve: async () => [] }, run)
  expect((await admin.ask(getServerLog, { serverUUID })).ansibleLog).toContain('127.0.0.1')
})
