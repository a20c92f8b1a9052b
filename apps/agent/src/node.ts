import { join } from 'node:path'
import type { Answer, desired } from '@kelid/contract'
import { hearFailures } from './checks/agent.ts'
import { checksOf, createChecks } from './checks/checks.ts'
import { openClock } from './clock.ts'
import type { Config } from './config.ts'
import { coreVersionOf } from './core-version.ts'
import { cutTcp } from './cut.ts'
import { follow } from './follow.ts'
import { openListKeeper } from './list-keeper.ts'
import { createOwnAddresses } from './own-addresses.ts'
import { PortSet } from './ports.ts'
import { createReporter } from './reporter.ts'
import { reasonOf } from './retry.ts'
import { createServerNode } from './server-node.ts'
import { createTunnelNode } from './tunnel-node.ts'

const lookEvery = 1_000
const keepTimeEvery = 300_000

/** By then the port may be another customer's. */
const cutWithin = 120_000
/** Older control planes send no time. */
const isTooOld = (at: string | undefined, now: number): boolean =>
  at !== undefined && now - Date.parse(at) > cutWithin
/** Older agents and control planes name a single port. */
const portsOf = (port: number, ports: string | undefined): PortSet =>
  (ports === undefined ? null : PortSet.decode(ports)) ?? new PortSet([port])

export async function runNode(
  config: Config,
  version: string,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const failures = hearFailures(log)
  const { say } = failures
  const keeper = await openListKeeper(join(config.state, 'list.json'), say)
  const clock = openClock(keeper.timeKept)
  const list = keeper.list
  const checks = createChecks(checksOf(config, clock, failures.check), say)
  let wake = new AbortController()
  let asking = new AbortController()
  const node =
    config.kind === 'tunnel'
      ? createTunnelNode(config, say)
      : await createServerNode({ config, vpnType: config.kind, clock, say, list })
  const reporter = createReporter({
    ...{ config, version, signal, say, list, refusedList: keeper.refused, samples: node.samples },
    ...{ applied: node.applied, online: node.online, connections: node.connections, relays: node.relays },
    ...{ movement: node.movement, leases: node.leases, firstUses: node.firstUses },
    troubles: checks.troubles,
    coreVersion: coreVersionOf(config.core),
    onLease: () => wake.abort(),
    // The control plane may never have received the open request.
    onRecovery: () => asking.abort(),
  })

  const ownAddresses = createOwnAddresses(config.url)
  const handledCuts = new Set<number>()
  async function applyAnswer(answer: Answer<typeof desired>) {
    clock.synchronize(answer.now)
    const cuts = answer.cuts.filter(({ id }) => !handledCuts.has(id))
    if (cuts.length > 0) {
      const protectedAddresses = await ownAddresses()
      const orders = cuts
        .filter(({ address, at }) => !protectedAddresses.has(address) && !isTooOld(at, clock.now()))
        .map(({ address, port, ports }) => ({ address, ports: portsOf(port, ports) }))
      say(`closed ${await cutTcp(orders, config.door)} connections by ${orders.length} orders`)
      for (const { id } of cuts) handledCuts.add(id)
    }
    for (const id of handledCuts) if (!answer.cuts.some((cut) => cut.id === id)) handledCuts.delete(id)
    const before = keeper.refused()
    const outcome = await keeper.take(answer, clock.now())
    if (outcome === 'taken') wake.abort()
    if (keeper.refused() !== before || answer.reportNow) reporter.hurry()
    return outcome
  }

  async function keepLooking() {
    let isCoreThere = true
    let timeStoredAt = Date.now()
    while (!signal.aborted) {
      wake = new AbortController()
      try {
        if (await node.look()) reporter.hurry()
        if (!isCoreThere) say('the core is back')
        isCoreThere = true
      } catch (error) {
        if (isCoreThere) say(`the core does not answer: ${reasonOf(error)}`)
        isCoreThere = false
      }
      if (Date.now() - timeStoredAt > keepTimeEvery) {
        timeStoredAt = Date.now()
        await keeper.keep(clock.now())
      }
      const until = AbortSignal.any([signal, wake.signal])
      await node.rest(lookEvery, until, reporter.hurry)
    }
  }

  const askingSignal = () => {
    asking = new AbortController()
    return asking.signal
  }
  await Promise.all([
    keepLooking(),
    reporter.run(),
    checks.run(signal, () => reporter.hurry()),
    follow({ config, version, signal, say, list, take: applyAnswer, interrupted: askingSignal }),
  ])
  await node.close()
}
