import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, desired } from '@kelid/contract'
import { openClock } from './clock.ts'
import type { Config } from './config.ts'
import { coreVersionOf } from './core-version.ts'
import { cutTcp } from './cut.ts'
import { follow } from './follow.ts'
import { openListKeeper } from './list-keeper.ts'
import { createOwnAddresses } from './own-addresses.ts'
import { createReporter } from './reporter.ts'
import { reasonOf } from './retry.ts'
import { createServerNode } from './server-node.ts'
import { createTunnelNode } from './tunnel-node.ts'

const lookEvery = 1_000
const keepTimeEvery = 300_000

export async function runNode(
  config: Config,
  version: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const keeper = await openListKeeper(join(config.state, 'list.json'), say)
  const clock = openClock(keeper.timeKept)
  const list = keeper.list
  let wake = new AbortController()
  let asking = new AbortController()
  const node =
    config.kind === 'tunnel'
      ? createTunnelNode(config.api)
      : createServerNode({
          ...{ config, vpnType: config.kind, clock, say, list },
          reportStale: (stale) => reporter.reportStale(stale),
        })
  const reporter = createReporter({
    ...{ config, version, signal, say, list, refusedList: keeper.refused, samples: node.samples },
    ...{ applied: node.applied, online: node.online, connections: node.connections },
    coreVersion: coreVersionOf(config.core),
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
      const others = cuts.filter(({ address }) => !protectedAddresses.has(address))
      say(`closed ${await cutTcp(others, config.door)} of ${cuts.length} connections`)
      for (const { id } of cuts) handledCuts.add(id)
    }
    for (const id of handledCuts) if (!answer.cuts.some((cut) => cut.id === id)) handledCuts.delete(id)
    const before = keeper.refused()
    const outcome = await keeper.take(answer, clock.now())
    if (outcome === 'taken') wake.abort()
    if (keeper.refused() !== before) reporter.hurry()
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
      await sleep(lookEvery, undefined, { signal: until }).catch(() => {})
    }
  }

  const askingSignal = () => {
    asking = new AbortController()
    return asking.signal
  }
  await Promise.all([
    keepLooking(),
    reporter.run(),
    follow({ config, version, signal, say, list, take: applyAnswer, interrupted: askingSignal }),
  ])
  await node.close()
}
