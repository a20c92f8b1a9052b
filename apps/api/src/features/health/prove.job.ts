import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { announceHost } from '../hosts/kinds.ts'
import { probesWholeWay } from '../hosts/probe-account.ts'
import { unprovenWays, type Way } from '../hosts/ways.ts'
import * as store from './health.store.ts'
import { keepProofs, obstacleOf, type Pair, type ProbedPair, probeWays } from './probe-ways.ts'

/** A relay may need some seconds to connect. After that the way waits for the rounds. */
const proveFor = 30_000
const pause = 2_000
const maxFailures = 15

/** Probes new ways at once, so that they can be sold. Sent after a run, and when an agent knows the probe's account. */
export async function proveWays(
  ctx: Context,
  {
    signal = new AbortController().signal,
    within = proveFor,
  }: { signal?: AbortSignal; within?: number } = {},
): Promise<void> {
  if (!ctx.config.KELID_PROBES) return
  const deadline = Date.now() + within
  for (;;) {
    const ways = await unprovenWays(ctx.db, {
      maxFailures,
      needsAccount: probesWholeWay(ctx.config),
    })
    if (ways.length === 0 || signal.aborted) return
    await proveOnce(ctx, ways)
    if (Date.now() + pause > deadline) return
    await sleep(pause, undefined, { signal }).catch(() => {})
  }
}

async function proveOnce(ctx: Context, ways: readonly Way[]): Promise<void> {
  const places = new Map((await store.placesInService(ctx.db)).map((place) => [place.uuid, place]))
  const pairs = ways.flatMap(({ exit, entry }): Pair[] => {
    const [server, tunnel] = [places.get(exit), places.get(entry)]
    return server && tunnel ? [{ server, tunnel }] : []
  })
  const hindered = pairs.flatMap((pair): ProbedPair[] => {
    const finding = obstacleOf(ctx, pair.server) ?? obstacleOf(ctx, pair.tunnel)
    return finding ? [{ ...pair, finding, proof: finding }] : []
  })
  const free = pairs.filter(
    ({ server, tunnel }) => !hindered.some((one) => one.server === server && one.tunnel === tunnel),
  )
  const probed = [...hindered, ...(await probeWays(ctx, free))]
  await keepProofs(ctx, probed)
  for (const { server, proof } of probed)
    if (proof.outcome === 'ANSWERED') await announceHost(ctx, ctx.db, server, 'ready')
}
