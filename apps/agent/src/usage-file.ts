import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Bytes } from './core.ts'
import { replaceFile } from './replace-file.ts'
import { reasonOf } from './retry.ts'
import type { Sample, UsageFile } from './sample.ts'

type StoredSample = Omit<Sample, 'usage'> & { readonly usage: [string, Bytes][] }

/** Stores counters that the control plane may not have yet, in case core and agent both end before the next report. */
export function keepUsage(file: string, say: (line: string) => void): UsageFile {
  return {
    /** An unreadable file loses unreported counters but must not stop the agent. */
    async restore() {
      const samples = await readFile(file, 'utf8')
        .then((text) => JSON.parse(text) as StoredSample[])
        .catch(() => [])
      return samples.map((sample) => ({ ...sample, usage: new Map(sample.usage) }))
    },
    async keep(samples) {
      const text = JSON.stringify(samples.map((sample) => ({ ...sample, usage: [...sample.usage] })))
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        .then(() => replaceFile(file, text, 0o600))
        .catch((error) => say(`cannot store usage: ${reasonOf(error)}`))
    },
  }
}
