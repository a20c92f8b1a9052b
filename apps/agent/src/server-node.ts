import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type VpnType, vpnCatalogue } from '@kelid/contract'
import { openAccessLog } from './access-log.ts'
import { accountRulesOf, createRuler } from './account-rules.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { rememberConnections } from './connections.ts'
import { openServerCore } from './core.ts'
import { keepCoreFile, readInbounds } from './core-file.ts'
import { liveUdp } from './cut.ts'
import { createHopCutter, createRelayCutter, createTcpCutter, createUdpCutter } from './cutters.ts'
import { createEnforcer } from './enforce.ts'
import { openFirstUses, type StoredFirstUses } from './first-use.ts'
import { openLeases, type StoredLeases } from './leases.ts'
import type { List } from './list.ts'
import { readMoved, watchMovement } from './movement.ts'
import { createOwnAddresses } from './own-addresses.ts'
import type { Account } from './reconcile.ts'
import { refusedOf } from './refuse.ts'
import { reasonOf } from './retry.ts'
import { keepUsage, type Sample, takeSamples } from './sample.ts'
import { countTcpSockets } from './sockets.ts'
import { createSpeeds, keepSpeedFile } from './speed.ts'
import { openSpeedTable } from './speed-table.ts'
import { openStateFile } from './state-file.ts'
import { coreAccounts } from './vpn-types.ts'

/** Counted in passes, one per second. */
const sampleEvery = 2
const devicesEvery = 10
/** Of the counters, while a lease comes to its end. */
const quickEvery = 200

interface Server {
  readonly config: Config
  readonly vpnType: VpnType
  readonly clock: Clock
  readonly say: (line: string) => void
  readonly list: () => List
}

export async function createServerNode({ config, vpnType, clock, say, list }: Server) {
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
  const fileOf = <State>(name: string, what: string) =>
    openStateFile<State>(join(config.state, name), what, say)
  const leaseFile = fileOf<StoredLeases>('leases.json', 'leases of data')
  const leases = await openLeases(leaseFile, list, clock.now)
  const useFile = fileOf<StoredFirstUses>('first-uses.json', 'first uses')
  const firstUses = await openFirstUses(useFile, list, clock)
  const asToday = (account: Account): Account =>
    account.isLeased || account.startsBy
      ? {
          ...account,
          enabled: account.enabled && leases.allows(account),
          expiresAt: firstUses.endOf(account),
        }
      : account
  const listToday = () => ({ ...list(), accounts: list().accounts.map(asToday) })
  const refused = () => refusedOf(list().accounts, clock.now())
  const ruler = createRuler(core)
  const firstMark = Number(config.firstMark)
  const speeds = createSpeeds({
    ...{ core, firstMark, say },
    table: openSpeedTable(`${config.table}-speed`, firstMark),
    writeFile: keepSpeedFile(config.speeds, config.routing, firstMark),
  })
  // Behind a tunnel, the tunnel sees customers' addresses.
  const movement = config.isBehindTunnel ? null : watchMovement(readMoved(config.table), say)
  const writeCoreFile = keepCoreFile(vpnType, config.accounts, inbounds)
  const enforce = createEnforcer({
    ...{ core, clock, accessLog, connections, say, refused, writeCoreFile, cutter },
    list: listToday,
    ownAddresses: createOwnAddresses(config.url),
  })
  let online: ReadonlyMap<string, Record<string, number>> = new Map()
  let applied: ReadonlyMap<string, number> = new Map()
  let sockets = 0
  let passes = 0
  let boot = ''
  let isLimiting = false

  /** Before accounts are let in, so that a device that is cut cannot come back, and nobody is too fast meanwhile. */
  async function applyRules(sample: Sample | null): Promise<void> {
    if (sample && sample.boot !== boot) {
      boot = sample.boot
      ruler.forget()
      speeds.forget()
    }
    if (sample) speeds.note(sample)
    const attempt = (action: string, work: Promise<void>) =>
      work.then(
        () => true,
        (error) => {
          say(`cannot ${action}: ${reasonOf(error)}`)
          return false
        },
      )
    const isPrepared = await attempt('limit the speed of accounts', speeds.prepare(list().accounts))
    const rules = accountRulesOf(refused(), speeds.outbounds())
    const isRuled = await attempt('give the core the rules of accounts', ruler.apply(rules))
    isLimiting = isPrepared && isRuled
    if (isRuled) await attempt('settle the limits of speed', speeds.settle())
  }

  async function lookAtDevices() {
    online = await core.online()
    connections.prune(online, isUdp ? await liveUdp(config.table) : null)
    sockets = await countTcpSockets()
  }

  return {
    samples,
    movement,
    leases,
    firstUses,
    applied: () => applied,
    online: () => online,
    connections: () => sockets,
    relays,
    /** Returns whether there are changes to report at once. */
    async look(): Promise<boolean> {
      const before = applied
      const isCounting = leases.isNeeded() || firstUses.isWaiting()
      const sample = isCounting || passes % sampleEvery === 0 ? await samples.take() : null
      if (sample) await leases.count(sample)
      const hasBegun = sample !== null && (await firstUses.look(sample))
      await applyRules(sample)
      const inForce = await enforce()
      const unlimited = new Set(
        isLimiting ? [] : list().accounts.flatMap(({ id, speedLimit }) => (speedLimit ? [id] : [])),
      )
      applied = new Map([...inForce].filter(([id]) => !unlimited.has(id)))
      const hasMinute = (await movement?.look()) ?? false
      if (passes % devicesEvery === 0) await lookAtDevices()
      passes += 1
      const hasNews = hasMinute || hasBegun || leases.isUrgent()
      return hasNews || relays?.isDue() || [...applied].some(([id, revision]) => before.get(id) !== revision)
    },
    /** Until the next pass, or until a lease comes to its end. */
    async rest(ms: number, signal: AbortSignal, hurry: () => void): Promise<void> {
      const due = performance.now() + ms
      for (let left = ms; left > 0 && !signal.aborted; left = due - performance.now()) {
        const isNearEnd = leases.isNearEnd() && left > quickEvery
        await sleep(isNearEnd ? quickEvery : left, undefined, { signal }).catch(() => {})
        if (!isNearEnd || signal.aborted) continue
        const sample = await samples.take().catch(() => null)
        if (!sample) return
        if (await leases.count(sample)) return
        if (leases.isUrgent()) hurry()
      }
    },
    async close() {
      // The next agent process continues with this state.
      await samples.keep()
      await leases.keep()
      accessLog.close()
      core.close()
    },
  }
}
