import type { Bytes, Core } from './core.ts'

export interface Sample {
  readonly boot: string
  readonly upSince: string
  readonly usage: ReadonlyMap<string, Bytes>
}

export interface UsageFile {
  restore(): Promise<Sample[]>
  keep(samples: readonly Sample[]): Promise<void>
}

const keepEvery = 30_000

/** The last counters of an ended core are reported once more; otherwise their last traffic would be lost. */
export function takeSamples(core: Pick<Core, 'boot' | 'usage' | 'uptimeSeconds'>, file?: UsageFile) {
  let last: Sample | null = null
  let endedSamples: Sample[] = []
  let keptAt = 0
  async function keep(): Promise<void> {
    keptAt = Date.now()
    if (last) await file?.keep([...endedSamples, last])
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
      endedSamples.push(...before.filter((sample) => sample.boot !== boot))
      last = { boot, upSince, usage }
      if (!isSame || Date.now() - keptAt > keepEvery) await keep()
      return last
    },
    last: () => last,
    ended: (): readonly Sample[] => endedSamples,
    async markReported(boot: string): Promise<void> {
      endedSamples = endedSamples.filter((sample) => sample.boot !== boot)
      await keep()
    },
    keep,
  }
}
export type Samples = ReturnType<typeof takeSamples>
