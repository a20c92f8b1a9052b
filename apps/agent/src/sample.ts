import type { Bytes, Core } from './core.ts'

/** What the counters of one start of the core say. */
export interface Sample {
  readonly boot: string
  readonly upSince: string
  readonly usage: ReadonlyMap<string, Bytes>
}

/**
 * Looks at the counters again and again. Those of a core that is gone are handed over once more, as they were seen last:
 * what went through it after the last report would be lost otherwise.
 */
export function takeSamples(core: Core) {
  let last: Sample | null = null
  let ended: Sample[] = []
  return {
    async take(): Promise<Sample> {
      const boot = await core.boot()
      const usage = await core.usage()
      if (last && last.boot !== boot) ended.push(last)
      const isSame = last?.boot === boot
      const upSince =
        isSame && last
          ? last.upSince
          : new Date(Date.now() - 1000 * (await core.uptimeSeconds())).toISOString()
      last = { boot, upSince, usage }
      return last
    },
    last: () => last,
    /** Those of cores that are gone; kept until they were told. */
    ended: (): readonly Sample[] => ended,
    told: (boot: string) => {
      ended = ended.filter((sample) => sample.boot !== boot)
    },
  }
}
export type Samples = ReturnType<typeof takeSamples>
