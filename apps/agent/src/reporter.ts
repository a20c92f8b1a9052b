import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, RefusedByServer, type RefusedList, report } from '@kelid/contract'
import { type Channel, openChannel } from './channel.ts'
import type { Trouble } from './checks/trouble.ts'
import { changedSince, compose, type Report, type SaidLease } from './compose.ts'
import type { Config } from './config.ts'
import type { Bytes } from './core.ts'
import type { RelayCutter } from './cutters.ts'
import type { FirstUses } from './first-use.ts'
import type { Leases } from './leases.ts'
import type { List } from './list.ts'
import type { Movement } from './movement.ts'
import { pauseAfter, pausesFor, reasonOf } from './retry.ts'
import type { Sample, Samples } from './sample.ts'

const every = 10_000
const answerWithin = 6_000
/** A control plane restored from a backup may lack earlier reports, so everything is sent again. */
const allAgainAfter = 300_000

export interface Reporting {
  readonly config: Config
  readonly version: string
  readonly signal: AbortSignal
  readonly say: (line: string) => void
  readonly list: () => List
  readonly refusedList: () => RefusedList
  readonly applied: () => ReadonlyMap<string, number>
  readonly samples: Samples
  /** null: customers do not connect to this host. */
  readonly movement: Movement | null
  readonly online: () => ReadonlyMap<string, Record<string, number>>
  readonly connections: () => number
  readonly troubles: () => readonly Trouble[]
  /** Of a server behind tunnels. */
  readonly relays: Pick<RelayCutter, 'orders' | 'markDelivered'> | null
  /** null on a tunnel. */
  readonly leases: Leases | null
  readonly firstUses: Pick<FirstUses, 'said'> | null
  readonly coreVersion: () => Promise<string>
  /** Accounts may come in again. */
  readonly onLease: () => void
  readonly onRecovery: () => void
}

const sameBytes = (a: Bytes, b: Bytes) => a.up === b.up && a.down === b.down
const sameLease = (a: SaidLease, b: SaidLease) =>
  a.frame === b.frame && a.spent === b.spent && a.until === b.until

export function createReporter(env: Reporting) {
  /** Accounts in refused reports that the list lacks: at least one belongs to another host. */
  const refusedIds = new Set<string>()
  let delivered = nothingDelivered('')
  let allAgainAt = 0
  /** Of the last answer: an older control plane refuses fields that it does not know. */
  let understands: readonly string[] = []
  let hurry = new AbortController()

  async function send(channel: Channel, sample: Sample | null, isLast: boolean): Promise<void> {
    // A permission to shrink is bound to a list, so the last complete one is named.
    const list = env.list()
    const { epoch, whole: number, digest } = list
    if (delivered.epoch !== epoch || Date.now() > allAgainAt) {
      delivered = nothingDelivered(epoch)
      allAgainAt = Date.now() + allAgainAfter
    }
    for (const { id } of list.accounts) refusedIds.delete(id)
    const unreported = new Set([...list.unreported, ...refusedIds])
    const withoutUnreported = <T>(all: ReadonlyMap<string, T>) =>
      new Map([...all].filter(([id]) => !unreported.has(id)))
    const deliveredUsage = delivered.usage.get(sample?.boot ?? '') ?? new Map<string, Bytes>()
    const begun = (isLast && env.firstUses?.said()) || new Map<string, number>()
    const orders = isLast ? (env.relays?.orders() ?? []) : []
    const news = {
      applied: isLast ? changedSince(env.applied(), delivered.applied) : new Map<string, number>(),
      usage: changedSince(
        withoutUnreported(sample?.usage ?? new Map<string, Bytes>()),
        deliveredUsage,
        sameBytes,
      ),
      online: isLast ? withoutUnreported(env.online()) : new Map<string, Record<string, number>>(),
      gone: orders.filter(({ id }) => !unreported.has(id)),
      leases: understands.includes('leases') ? withoutUnreported(isLast ? await leaseNews() : nothing) : null,
      begun: understands.includes('begun') ? withoutUnreported(begun) : null,
    }
    const host = {
      ...{ epoch, number, digest, refusedList: env.refusedList(), connections: env.connections() },
      core: {
        version: await env.coreVersion(),
        bootId: sample?.boot ?? '',
        upSince: sample?.upSince ?? '',
      },
      load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
      now: new Date().toISOString(),
      ...(understands.includes('troubles') && { troubles: [...env.troubles()] }),
    }
    const minute = (isLast && understands.includes('moved') && env.movement?.finished()) || null
    const [first, ...rest] = compose(host, news)
    await sendReport(channel, { ...(first as Report), ...(minute && { moved: minute }) })
    if (minute) env.movement?.markReported(minute)
    for (const body of rest) await sendReport(channel, body)
    for (const [id, revision] of news.applied) delivered.applied.set(id, revision)
    delivered.usage.set(sample?.boot ?? '', new Map([...deliveredUsage, ...news.usage]))
    env.relays?.markDelivered(orders)
  }

  async function sendReport(channel: Channel, body: Report): Promise<void> {
    try {
      const answer = await channel.ask(report, body, env.signal, answerWithin)
      understands = answer.understands ?? []
      await takeLeases(body, answer)
    } catch (error) {
      if (error instanceof RefusedByServer && error.type === 'UNKNOWN_FIELD') understands = []
      if (error instanceof RefusedByServer && error.type === 'FOREIGN_REPORT') {
        const listedIds = new Set(env.list().accounts.map(({ id }) => id))
        for (const { id } of [...body.usage, ...body.online, ...body.gone, ...(body.leases ?? [])])
          if (!listedIds.has(id)) refusedIds.add(id)
      }
      throw error
    }
  }

  /** What is reported is stored first, so that a host that loses its power does not count behind its reports. */
  async function leaseNews(): Promise<Map<string, SaidLease>> {
    if (!env.leases) return new Map()
    await env.leases.keep()
    for (const id of env.leases.waiting()) delivered.leases.delete(id)
    return changedSince(env.leases.said(), delivered.leases, sameLease)
  }

  async function takeLeases({ leases = [] }: Report, answer: Answer<typeof report>): Promise<void> {
    if (!env.leases) return
    const reported = new Map(leases.map(({ id, ...lease }) => [id, lease]))
    for (const [id, lease] of reported) delivered.leases.set(id, lease)
    env.leases.markReported(reported)
    const granted = answer.leases ?? []
    if (granted.length === 0) return
    const { opens, givesBack } = env.leases.take(granted)
    // The control plane hears what the node holds now.
    for (const { id } of granted) delivered.leases.delete(id)
    if (opens) env.onLease()
    if (givesBack) hurry.abort()
    // The next process of the agent may find the control plane away.
    await env.leases.keep()
  }

  return {
    hurry: () => hurry.abort(),
    async run(): Promise<void> {
      const { config, version, signal, say, samples } = env
      let channel: Channel | null = null
      let failures = 0
      while (!signal.aborted) {
        hurry = new AbortController()
        let pause = every
        try {
          channel ??= await openChannel(config, version, failures)
          for (const sample of samples.ended()) {
            await send(channel, sample, false)
            await samples.markReported(sample.boot)
            delivered.usage.delete(sample.boot)
          }
          await send(channel, samples.last(), true)
          if (failures > 0) env.onRecovery()
          failures = 0
        } catch (error) {
          channel?.close()
          channel = null
          if (signal.aborted) break
          failures += 1
          pause = pauseAfter(failures, pausesFor(error))
          if (failures === 1) say(`no report to ${config.url}: ${reasonOf(error)}`)
        }
        const until = AbortSignal.any(failures > 0 ? [signal] : [signal, hurry.signal])
        await sleep(pause, undefined, { signal: until }).catch(() => {})
      }
      channel?.close()
    },
  }
}

const nothing: ReadonlyMap<string, SaidLease> = new Map()
const nothingDelivered = (epoch: string) => ({
  epoch,
  leases: new Map<string, SaidLease>(),
  applied: new Map<string, number>(),
  usage: new Map<string, Map<string, Bytes>>(),
})
