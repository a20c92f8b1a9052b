import { join } from 'node:path'
import { type VpnType, vpnCatalogue } from '@kelid/contract'
import { openAccessLog } from './access-log.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { rememberConnections } from './connections.ts'
import { openServerCore } from './core.ts'
import { keepCoreFile, readInbounds } from './core-file.ts'
import { liveUdp } from './cut.ts'
import { createHopCutter, createRelayCutter, createTcpCutter, createUdpCutter } from './cutters.ts'
import { createEnforcer } from './enforce.ts'
import type { List } from './list.ts'
import { readMoved, watchMovement } from './movement.ts'
import { createOwnAddresses } from './own-addresses.ts'
import { createRefuser, refusedOf } from './refuse.ts'
import { reasonOf } from './retry.ts'
import { keepUsage, takeSamples } from './sample.ts'
import { countTcpSockets } from './sockets.ts'
import { coreAccounts } from './vpn-types.ts'

/** Counted in passes, one per second. */
const sampleEvery = 2
const devicesEvery = 10

interface Server {
  readonly config: Config
  readonly vpnType: VpnType
  readonly clock: Clock
  readonly say: (line: string) => void
  readonly list: () => List
}

export function createServerNode({ config, vpnType, clock, say, list }: Server) {
  const inbounds = () => readInbounds(config)
  const tags = async () => (await inbounds()).map(({ tag }) => tag)
  const core = openServerCore(config.api, vpnType, tags)
  const samples = takeSamples(core, keepUsage(join(config.state, 'usage.json'), say))
  const connections = rememberConnections()
  connections.restore(config.connections)
  const { harmlessRefusal } = coreAccounts[vpnType]
  const accessLog = openAccessLog(config.accessLog, harmlessRefusal, () =>
    connections.store(config.connections, say),
  )
  const isUdp = vpnCatalogue[vpnType].network === 'udp'
  const relays = config.isBehindTunnel ? createRelayCutter(connections) : null
  const ownPort = async () => String((await inbounds())[0]?.port)
  const createCutter = config.hops ? createHopCutter : createUdpCutter
  const cutter =
    relays ?? (isUdp ? createCutter(config.table, connections) : createTcpCutter(connections, ownPort))
  const refused = () => refusedOf(list().accounts, clock.now())
  const refuse = createRefuser(core)
  // Behind a tunnel, the tunnel sees customers' addresses.
  const movement = config.isBehindTunnel ? null : watchMovement(readMoved(config.table), say)
  const writeCoreFile = keepCoreFile(vpnType, config.accounts, inbounds)
  const enforce = createEnforcer({
    ...{ core, clock, accessLog, connections, say, list, refused, writeCoreFile, cutter },
    ownAddresses: createOwnAddresses(config.url),
  })
  let online: ReadonlyMap<string, Record<string, number>> = new Map()
  let applied: ReadonlyMap<string, number> = new Map()
  let sockets = 0
  let passes = 0

  async function lookAtDevices() {
    online = await core.online()
    connections.prune(online, isUdp ? await liveUdp(config.table) : null)
    sockets = await countTcpSockets()
  }

  return {
    samples,
    movement,
    applied: () => applied,
    online: () => online,
    connections: () => sockets,
    relays,
    /** Returns whether there are changes to report at once. */
    async look(): Promise<boolean> {
      const before = applied
      if (passes % sampleEvery === 0) await samples.take()
      // First the rule, so that a device that is cut cannot come back.
      await refuse(refused()).catch((error) => say(`cannot refuse devices: ${reasonOf(error)}`))
      applied = await enforce()
      const hasMinute = (await movement?.look()) ?? false
      if (passes % devicesEvery === 0) await lookAtDevices()
      passes += 1
      return (
        hasMinute || relays?.isDue() || [...applied].some(([id, revision]) => before.get(id) !== revision)
      )
    },
    async close() {
      // The next agent process continues with this state.
      await samples.keep()
      accessLog.close()
      core.close()
    },
  }
}
