import type { Envelope } from '@kelid/contract'
import autocannon from 'autocannon'
import type { MeasuredProcess } from './measured-process.ts'
import { postgresBelow } from './postgres-processes.ts'
import { median, percentile } from './statistics.ts'

/** A call to repeat. `next` creates each request. */
export interface Target {
  readonly name: string
  readonly process: MeasuredProcess
  readonly path: string
  readonly next: () => { headers: Record<string, string>; body: string }
  /** Checks one reply before the load begins: a fast wrong answer must not count. */
  readonly isRight?: (response: Envelope['response']) => boolean
  /** Starts background work during the measurement; the returned function ends it or waits for its end. */
  readonly meanwhile?: () => Promise<() => Promise<void>>
}

export interface Slot {
  cpuMicros: number
  /** NaN without PostgreSQL below the process, or without /proc. */
  databaseMicros: number
  perSecond: number
  p50: number
  p95: number
  p99: number
}

export interface Pace {
  rounds: number
  warmRequests: number
  seconds: number
  connections: number
}

async function send(target: Target, amount: number, connections: number) {
  const times: number[] = []
  const failed: number[] = []
  const from = performance.now()
  const request = {
    method: 'POST' as const,
    path: target.path,
    setupRequest: (one: object) => ({ ...one, ...target.next() }),
  }
  const run = autocannon({ url: target.process.url, connections, amount, requests: [request], sampleInt: 20 })
  let last = from
  run.on('response', (_, status, __, milliseconds) => {
    last = performance.now()
    times.push(milliseconds)
    if (status !== 200) failed.push(status)
  })
  const { errors } = await run
  if (errors > 0 || failed.length > 0)
    throw new Error(`${target.name}: ${errors} errors, ${failed.length} refused (${failed[0] ?? 'none'})`)
  if (times.length < amount) throw new Error(`${target.name}: ${times.length} answers to ${amount} requests`)
  return { times, seconds: (last - from) / 1000 }
}

async function slot(target: Target, amount: number, connections: number): Promise<Slot> {
  const { process: measured } = target
  const [before, databaseBefore] = await Promise.all([measured.cost(), postgresBelow(measured.pid)])
  const { times, seconds } = await send(target, amount, connections)
  const [after, databaseAfter] = await Promise.all([measured.cost(), postgresBelow(measured.pid)])
  return {
    cpuMicros: (after.cpuMicros - before.cpuMicros) / amount,
    databaseMicros:
      ((databaseAfter?.cpuMicros ?? Number.NaN) - (databaseBefore?.cpuMicros ?? Number.NaN)) / amount,
    perSecond: amount / seconds,
    p50: percentile(times, 50),
    p95: percentile(times, 95),
    p99: percentile(times, 99),
  }
}

async function checkReply({ name, process: { url }, path, next, isRight }: Target): Promise<void> {
  if (!isRight) return
  const reply = await fetch(url + path, { method: 'POST', ...next() })
  const text = await reply.text()
  if (reply.status !== 200 || !isRight((JSON.parse(text) as Envelope).response))
    throw new Error(`${name} answers ${reply.status} ${text.slice(0, 500)}`)
}

/**
 * Returns the requests per second. Every target is warmed by the same number of requests, because the JIT compiler counts
 * calls: by time, a slow target would be measured cold.
 */
async function warmUp(target: Target, { warmRequests, connections }: Pace): Promise<number> {
  await checkReply(target)
  await send(target, warmRequests, connections)
  const { times, seconds } = await send(target, connections * 10, connections)
  return times.length / seconds
}

/** Every target takes a turn in each round, so that a disturbance of the machine affects all. */
export async function interleaved(targets: readonly Target[], pace: Pace): Promise<Slot[][]> {
  const { rounds, seconds, connections } = pace
  const amounts: number[] = []
  for (const target of targets)
    amounts.push(Math.max(connections, Math.ceil((await warmUp(target, pace)) * seconds)))
  const slots: Slot[][] = targets.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, target] of targets.entries()) {
      const over = await target.meanwhile?.()
      slots[index]?.push(await slot(target, amounts[index] ?? connections, connections))
      await over?.()
    }
  return slots
}

/** The median over the rounds. */
export const middle = (slots: readonly Slot[], quantity: keyof Slot): number =>
  median(slots.map((one) => one[quantity]))

/** The median of the ratios within each round. */
export const middleRatio = (slots: readonly Slot[], beside: readonly Slot[], quantity: keyof Slot): number =>
  median(slots.map((one, round) => one[quantity] / (beside[round]?.[quantity] ?? Number.NaN)))
