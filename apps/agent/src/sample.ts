import type { Bytes, Core } from './core.ts'

/** What the counters of one start of the core say. */
export interface Sample {
  readonly boot: string
  readonly upSince: string
  readonly usage: ReadonlyMap<string, Bytes>
}

/** Where counters outlive the agent. */
export interface UsageFile {
  restore(): Promise<Sample[]>
  keep(samples: readonly Sample[]): Promise<void>
}

const keepEvery = 30_000

/**
 * Looks at the counters again and again. Those of a core that is gone are handed over once more, as they were seen last:
 * what went through it after the last report would be lost otherwise.
 */
export function takeSamples(core: Pick<Core, 'boot' | 'usage' | 'uptimeSeconds'>, file?: UsageFile) {
  let last: Sample | null = null
  let ended: Sample[] = []
  let keptAt = 0
  async function keep(): Promise<void> {
    keptAt = Date.now()
    if (last) await file?.keep([...ended, last])
  }
  return {
    async take(): Promise<Sample> {
      const boot = await core.boot()
      const usage = await core.usage()
      const before = last ? [last] : ((await file?.restore()) ?? [])
      const isSame = last?.boot === boot
      const upSince =
        isSame && last
          ? last.upSince
          : new Date(Date.now() - 1000 * (await core.uptimeSeconds())).toISOString()
      ended.push(...before.filter((sample) => sample.boot !== boot))
      last = { boot, upSince, usage }
      if (!isSame || Date.now() - keptAt > keepEvery) await keep()
      return last
    },
    last: () => last,
    /** Those of cores that are gone; kept until they were told. */
    ended: (): readonly Sample[] => ended,
    async told(boot: string): Promise<void> {
      ended = ended.filter((sample) => sample.boot !== boot)
      await keep()
    },
    keep,
  }
}
export type Samples = ReturnType<typeof takeSamples>
