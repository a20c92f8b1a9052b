import { join } from 'node:path'
import { needsTunnel, type VpnType, vpnCatalogue } from '@kelid/contract'
import { openAccessLog } from './access-log.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { trackConfirmedAddresses } from './confirmed.ts'
import { keepConnections, rememberConnections } from './connections.ts'
import { openServerCore } from './core.ts'
import { keepCoreFile, readInbound } from './core-file.ts'
import { cutTcp, cutUdp } from './cut.ts'
import { createEnforcer, type StaleConnection } from './enforce.ts'
import type { List } from './list.ts'
import { createOwnAddresses } from './own-addresses.ts'
import { activeOf } from './reconcile.ts'
import { createRestarter } from './restart.ts'
import { reasonOf } from './retry.ts'
import { keepUsage, takeSamples } from './sample.ts'
import { coreAccounts } from './vpn-types.ts'

/** Counted in passes, one per second. */
const sampleEvery = 2
const devicesEvery = 10
const keepEvery = 3

interface Server {
  readonly config: Config
  readonly vpnType: VpnType
  readonly clock: Clock
  readonly say: (line: string) => void
  readonly list: () => List
  readonly reportStale: (stale: readonly StaleConnection[]) => void
}

export function createServerNode({ config, vpnType, clock, say, list, reportStale }: Server) {
  const core = openServerCore(config.api, vpnType)
  const samples = takeSamples(core, keepUsage(join(config.state, 'usage.json'), say))
  const connections = rememberConnections()
  const confirmedAddresses = trackConfirmedAddresses(core)
  const connectionsFile = keepConnections(config.connections, connections)
  const accessLog = openAccessLog(config.accessLog, coreAccounts[vpnType].harmlessRefusals)
  const restartCore = createRestarter(config.restart, say)
  async function cut(stale: readonly StaleConnection[]): Promise<void> {
    if (vpnCatalogue[vpnType].network === 'udp') await cutUdp(config.table, stale)
    else if (needsTunnel(vpnType)) reportStale(stale)
    else await cutTcp(stale, String((await readInbound(config.inbound)).port))
  }
  const writeCoreFile = keepCoreFile(vpnType, config.accounts, config.inbound)
  const enforce = createEnforcer({
    ...{ core, clock, accessLog, connections, confirmed: confirmedAddresses, say, list, writeCoreFile, cut },
    ownAddresses: createOwnAddresses(config.url),
  })
  let online: ReadonlyMap<string, Record<string, number>> = new Map()
  let applied: ReadonlyMap<string, number> = new Map()
  let boot = ''
  let passes = 0

  async function lookAtCounters() {
    const sample = await samples.take()
    if (sample.boot === boot) return
    // The connections ended with their core.
    if (boot !== '') connections.clear()
    else await connectionsFile.restore(sample.boot)
    boot = sample.boot
  }

  async function lookAtDevices() {
    online = await core.online()
    confirmedAddresses.note(online)
    connections.keepOnly(online)
    const active = activeOf(list().accounts, clock.now())
    const usage = samples.last()?.usage
    const stillThere = [...online.keys()].filter((id) => list().epoch !== '' && !active.has(id))
    await restartCore(
      new Map(stillThere.map((id) => [id, (usage?.get(id)?.up ?? 0) + (usage?.get(id)?.down ?? 0)])),
    )
  }

  return {
    samples,
    applied: () => applied,
    online: () => online,
    connections: connections.count,
    /** Returns whether there are changes to report at once. */
    async look(): Promise<boolean> {
      const before = applied
      if (passes % sampleEvery === 0) await lookAtCounters()
      applied = await enforce()
      if (passes % devicesEvery === 0) await lookAtDevices()
      if (passes % keepEvery === 0)
        await connectionsFile.keep(boot).catch((error) => say(`cannot store connections: ${reasonOf(error)}`))
      passes += 1
      return [...applied].some(([id, revision]) => before.get(id) !== revision)
    },
    async close() {
      // The next agent process continues with this state.
      if (boot !== '') await connectionsFile.keep(boot).catch(() => {})
      await samples.keep()
      accessLog.close()
      core.close()
    },
  }
}
