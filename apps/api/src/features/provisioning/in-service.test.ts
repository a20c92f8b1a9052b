import {
  getDashboard,
  getHostHealth,
  getServer,
  getTunnel,
  newAccount,
  provisionServer,
  provisionTunnel,
} from '@kelid/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { runOf } from '../../../test/product.ts'
import { directAccount, sampleTunnel, trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'
import { useStandIn } from './ansible.fixture.ts'
import { maintainRuns } from './provision.job.ts'

/** The clock moves for hours, so each test has a product of its own. */
let shop: ReturnType<typeof useStandIn>['shop']
const useOwnShop = () => {
  const own = useStandIn()
  beforeAll(() => {
    shop = own.shop
  })
}
const minute = 60_000

const failing = () => ({ playbook: `${shop.folder}/nowhere.yml` })
const admin = () => shop.product.again(shop.product.admin)

async function settle(uuid: string, how = {}) {
  const queued = `SELECT uuid FROM provision_runs WHERE subject_uuid = $1 AND state = 'queued'`
  for (const run of await shop.product.sql(queued, uuid)) await shop.run(run.uuid, how)
}

const kinds = {
  server: {
    add: async () => (await shop.server()).serverUUID,
    read: async (serverUUID: string) => (await (await admin()).ask(getServer, { serverUUID })).serverState,
    provision: async (serverUUID: string) => (await admin()).ask(provisionServer, { serverUUID }),
  },
  tunnel: {
    add: async () => (await shop.tunnel()).tunnelUUID,
    read: async (tunnelUUID: string) => (await (await admin()).ask(getTunnel, { tunnelUUID })).tunnelState,
    provision: async (tunnelUUID: string) => (await admin()).ask(provisionTunnel, { tunnelUUID }),
  },
}

describe.each(['server', 'tunnel'] as const)('a %s in service', (kind) => {
  useOwnShop()
  test('stays there when a run fails or is lost; the run is repeated after growing pauses, or at once by an administrator', async () => {
    const { product } = shop
    const { add, read, provision } = kinds[kind]
    const uuid = await add()
    const run = (how = {}) => settle(uuid, how)
    await run(failing())
    expect(await read(uuid), 'a first set-up').toBe('failed')
    expect(await maintainRuns(product.ctx)).toMatchObject({ retried: 0 })
    await provision(uuid)
    expect(await read(uuid)).toBe('queued')
    await run()
    expect(await read(uuid)).toBe('ready')

    product.clock.advance(1_000)
    await provision(uuid)
    expect(await read(uuid), 'queued').toBe('ready')
    for (const pause of [1, 2, 5, 15, 60, 60]) {
      await run(failing())
      expect(await read(uuid), 'failed').toBe('ready')
      const { upkeep } = await (await admin()).ask(getHostHealth, { hostUUID: uuid })
      expect(upkeep?.lastLine).toContain('Install the complete release')
      const shown = (await (await admin()).ask(getDashboard, {})).lastFailures.find(
        (one) => one.uuid === uuid,
      )
      for (const one of [upkeep, shown])
        expect(Date.parse(one?.retryDate ?? '') - Date.parse(one?.failedDate ?? '')).toBe(pause * minute)
      product.clock.advance(pause * minute - 1)
      expect(await maintainRuns(product.ctx)).toMatchObject({ retried: 0 })
      product.clock.advance(1)
      expect(await maintainRuns(product.ctx)).toMatchObject({ retried: 1 })
    }
    // The worker dies in its third attempt.
    await product.setRow('provision_runs', (await runOf(product, uuid)).uuid, {
      ...{ state: 'running', attempts: 3, started_at: product.clock.now(), beat_at: product.clock.now() },
    })
    product.clock.advance(2 * minute)
    expect(await maintainRuns(product.ctx)).toMatchObject({ givenUp: 1, retried: 0 })
    expect(await read(uuid), 'lost').toBe('ready')

    await provision(uuid)
    await run()
    expect((await (await admin()).ask(getHostHealth, { hostUUID: uuid })).upkeep).toBeNull()
    product.clock.advance(61 * minute)
    expect(await maintainRuns(product.ctx)).toMatchObject({ retried: 0 })
    if (kind === 'server')
      await (await product.person({ points: 100 })).ask(newAccount, { ...directAccount, accountDuration: 1 })
  })
})

describe('a tunnel that cannot follow', () => {
  useOwnShop()
  test('keeps selling the servers that it knows, and none that moved away from it', async () => {
    const { product } = shop
    const { tunnelUUID } = await shop.tunnel({ ...sampleTunnel(), tunnelType: 'wstunnel' })
    await settle(tunnelUUID)
    const { serverUUID: known } = await shop.server({ ...trojanServer(), serverMaxAccounts: 2 })
    await settle(known)
    const buyer = await product.person({ points: 1_000, tunnelCredit: 100 })
    const buy = () => buyer.refusal(newAccount, { ...tunnelledAccount, accountDuration: 1 })
    expect(await buy(), 'both are ready, and the tunnel does not lead there').toBe('NO_CAPACITY')
    await settle(tunnelUUID)
    expect(await buy()).toBeUndefined()

    product.clock.advance(1_000)
    const { serverUUID: late } = await shop.server({ ...trojanServer(), serverMaxAccounts: 10 })
    await settle(late)
    await settle(tunnelUUID, failing())
    expect(await buy()).toBeUndefined()
    expect(await buy(), 'only the server that the tunnel does not know has room').toBe('NO_CAPACITY')
    const { ways } = await (await admin()).ask(getHostHealth, { hostUUID: tunnelUUID })
    expect(ways?.map(({ hostUUID, isSold }) => [hostUUID, isSold])).toEqual([
      [late, false],
      [known, true],
    ])
    product.clock.advance(minute)
    expect(await maintainRuns(product.ctx)).toMatchObject({ retried: 1 })
    await settle(tunnelUUID)
    expect(await buy()).toBeUndefined()
  })
})
