import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Bytes, Core } from './core.ts'
import { replaceFile } from './replace-file.ts'
import { reasonOf } from './retry.ts'

export interface Sample {
  readonly boot: string
  readonly upSince: string
  readonly usage: ReadonlyMap<string, Bytes>
}

type StoredSample = Omit<Sample, 'usage'> & { readonly usage: [string, Bytes][] }

/** Stores counters that the control plane may not have yet, in case core and agent both end before the next report. */
export function keepUsage(file: string, say: (line: string) => void) {
  return {
    /** An unreadable file loses unreported counters but must not stop the agent. */
    async restore(): Promise<Sample[]> {
      const samples = await readFile(file, 'utf8')
        .then((text) => JSON.parse(text) as StoredSample[])
        .catch(() => [])
      return samples.map((sample) => ({ ...sample, usage: new Map(sample.usage) }))
    },
    async keep(samples: readonly Sample[]): Promise<void> {
      const text = JSON.stringify(samples.map((sample) => ({ ...sample, usage: [...sample.usage] })))
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        .then(() => replaceFile(file, text, 0o600))
        .catch((error) => say(`cannot store usage: ${reasonOf(error)}`))
    },
  }
}

const keepEvery = 30_000

/** The last counters of an ended core are reported once more; otherwise their last traffic would be lost. */
export function takeSamples(
  core: Pick<Core, 'boot' | 'usage' | 'uptimeSeconds'>,
  file?: ReturnType<typeof keepUsage>,
) {
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
