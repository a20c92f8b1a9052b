import { getHostHealth, needsTunnel, newAccount, vpnTypes } from '@kelid/contract'
import { describe, expect, test } from 'vitest'
import { runningClock } from '../../../test/clock.ts'
import { folderForAllTests, openForAllTests } from '../../../test/hooks.ts'
import { openProductWithNodes } from '../../../test/nodes.ts'
import { openDrops } from '../../../test/real/drops.ts'
import { openRealServer } from '../../../test/real/host.ts'
import { openPages } from '../../../test/real/pages.ts'
import { leftOut, xray } from '../../../test/real/programs.ts'
import { sampleOf } from '../../../test/sample-hosts.ts'
import { until } from '../../../test/until.ts'
import { addCore } from '../provisioning/core-store.ts'
import { probeHosts } from './probe.job.ts'
import { proveWays } from './prove.job.ts'

const reason = leftOut && ` (left out: ${leftOut})`

/** The playbook's inbound in the real core, the built agent, and the core again as the client of the probe. */
describe.skipIf(leftOut).each(vpnTypes)(`a server of %s${reason}`, (vpnType) => {
  const { server: wanted, account } = sampleOf(vpnType)
  const folder = folderForAllTests()
  const pages = openForAllTests(openPages)
  const drops = openForAllTests(openDrops)
  const product = openForAllTests(() =>
    openProductWithNodes({
      clock: runningClock(),
      env: {
        KELID_PROBES: 'yes',
        KELID_PROBE_URL: pages.page.replace(/\/$/, '/204'),
        KELID_ALLOW_RESERVED_TARGETS: 'yes',
        KELID_CORE_DIR: `${folder}/cores`,
      },
    }),
  )

  test('is sold as soon as a page comes through the whole way, and no longer when none does', async () => {
    await addCore(`${folder}/cores`, xray, '26.3.27', new Date())
    const serverUUID = await product.server(wanted)
    const entry = needsTunnel(vpnType)
      ? await product.tunnel({ ...(account.accountTunnelType && { tunnelType: account.accountTunnelType }) })
      : serverUUID
    const host = await openRealServer(product, folder, {
      ...{ uuid: serverUUID, name: wanted.serverURL, vpnType, table: drops.table },
    })
    const here = { ipv4: '127.0.0.1', port: host.core.port, set_by_hand: false }
    await product.setRow('servers', serverUUID, {
      ...here,
      serving: JSON.stringify({ name: wanted.serverURL }),
    })
    if (entry !== serverUUID) await product.setRow('tunnels', entry, here)
    const buyer = await product.person({ points: 10_000, tunnelCredit: 1_000 })
    const buy = () => buyer.refusal(newAccount, account)
    expect(await buy(), 'no run has opened the way').toBe('NO_CAPACITY')
    const openWay = `INSERT INTO ways (exit_uuid, entry_uuid, known, relay_key)
      SELECT uuid, $2, serving, (SELECT relay_public_key FROM tunnels WHERE uuid = $2) FROM servers WHERE uuid = $1`
    await product.sql(openWay, serverUUID, entry)
    await product.sql(`UPDATE tunnels SET relay_public_key = 'key' WHERE uuid = $1`, entry)
    await product.sql(`UPDATE ways SET relay_key = 'key'`)
    expect(await buy(), 'nothing has come through').toBe('NO_CAPACITY')

    const applied = async () => (await product.row('servers', serverUUID)).probe_applied_at !== null
    await until(applied, 'the agent to report the account of the probe')
    await proveWays(product.ctx)
    expect(await buy()).toBeUndefined()
    const admin = await product.again(product.admin)
    const healthOf = (hostUUID: string) => admin.ask(getHostHealth, { hostUUID })
    await probeHosts(product.ctx)
    expect(await healthOf(serverUUID)).toMatchObject({
      health: 'up',
      reason: 'ANSWERED',
      ways: [{ hostUUID: entry, isSold: true, outcome: 'ANSWERED' }],
    })

    pages.close()
    for (let round = 1; round <= 3; round += 1) {
      await product.sql('DELETE FROM probes WHERE failures = 0')
      await product.sql(`UPDATE probes SET tried_at = tried_at - interval '1 minute'`)
      await probeHosts(product.ctx)
    }
    expect(await healthOf(serverUUID)).toMatchObject({ health: 'down', reason: 'NO_INTERNET' })
    if (entry !== serverUUID) expect((await healthOf(entry)).health, 'the tunnel does its part').toBe('up')
    expect(await buy()).toBe('NO_CAPACITY')
    const { accounts } = await product.row('servers', serverUUID)
    expect(accounts, 'the account of the probe is not counted').toBe(1)
    expect(await product.sql('SELECT * FROM node_alerts')).toEqual([])
    await host.close()
  })
})
