import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { RefusedByServer, type RefusedList, report } from '@kelid/contract'
import { type Channel, openChannel } from './channel.ts'
import { compose, newsOf, type Report } from './compose.ts'
import type { Config } from './config.ts'
import type { Bytes } from './core.ts'
import type { Gone } from './enforce.ts'
import type { List } from './list.ts'
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
  readonly online: () => ReadonlyMap<string, Record<string, number>>
  readonly connections: () => number
  readonly coreVersion: () => Promise<string>
  /** Called when the control plane answers again after a failure. */
  readonly healed: () => void
}

const sameBytes = (a: Bytes, b: Bytes) => a.up === b.up && a.down === b.down

/** Reports changes every ten seconds, or at once on request. */
export function createReporter(around: Reporting) {
  /** Accounts in refused reports that the list lacks: at least one belongs to another host. */
  const refused = new Set<string>()
  let gone: Gone[] = []
  let told = nothingTold('')
  let allAgainAt = 0
  let hurry = new AbortController()

  async function send(channel: Channel, sample: Sample | null, isLast: boolean): Promise<void> {
    // A permission to shrink is bound to a list, so the last complete one is named.
    const list = around.list()
    const { epoch, whole: number, digest } = list
    if (told.epoch !== epoch || Date.now() > allAgainAt) {
      told = nothingTold(epoch)
      allAgainAt = Date.now() + allAgainAfter
    }
    for (const { id } of list.accounts) refused.delete(id)
    const unreported = new Set([...list.unreported, ...refused])
    const reported = <T>(all: ReadonlyMap<string, T>) =>
      new Map([...all].filter(([id]) => !unreported.has(id)))
    const counted = told.usage.get(sample?.boot ?? '') ?? new Map<string, Bytes>()
    // A copy: connections added while this report is sent belong to the next one.
    const leaving = isLast ? [...gone] : []
    const news = {
      applied: isLast ? newsOf(around.applied(), told.applied) : new Map<string, number>(),
      usage: newsOf(reported(sample?.usage ?? new Map<string, Bytes>()), counted, sameBytes),
      online: isLast ? reported(around.online()) : new Map<string, Record<string, number>>(),
      gone: leaving.filter(({ id }) => !unreported.has(id)),
    }
    const host = {
      ...{ epoch, number, digest, refusedList: around.refusedList(), connections: around.connections() },
      core: {
        version: await around.coreVersion(),
        bootId: sample?.boot ?? '',
        upSince: sample?.upSince ?? '',
      },
      load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
      now: new Date().toISOString(),
    }
    for (const body of compose(host, news)) await tell(channel, body)
    for (const [id, revision] of news.applied) told.applied.set(id, revision)
    told.usage.set(sample?.boot ?? '', new Map([...counted, ...news.usage]))
    gone = gone.filter((one) => !leaving.includes(one))
  }

  async function tell(channel: Channel, body: Report): Promise<void> {
    try {
      await channel.ask(report, body, around.signal, answerWithin)
    } catch (error) {
      if (error instanceof RefusedByServer && error.type === 'FOREIGN_REPORT') {
        const listed = new Set(around.list().accounts.map(({ id }) => id))
        for (const { id } of [...body.usage, ...body.online, ...body.gone])
          if (!listed.has(id)) refused.add(id)
      }
      throw error
    }
  }

  return {
    /** Connections that the relay must close; reported at once. */
    leave(leaving: readonly Gone[]) {
      gone.push(...leaving)
      hurry.abort()
    },
    hurry: () => hurry.abort(),
    async run(): Promise<void> {
      const { config, version, signal, say, samples } = around
      let channel: Channel | null = null
      let failures = 0
      while (!signal.aborted) {
        hurry = new AbortController()
        let pause = every
        try {
          channel ??= await openChannel(config, version, failures)
          for (const ended of samples.ended()) {
            await send(channel, ended, false)
            await samples.told(ended.boot)
            told.usage.delete(ended.boot)
          }
          await send(channel, samples.last(), true)
          if (failures > 0) around.healed()
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

const nothingTold = (epoch: string) => ({
  epoch,
  applied: new Map<string, number>(),
  /** By start of the core. */
  usage: new Map<string, Map<string, Bytes>>(),
})
