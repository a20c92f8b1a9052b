import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Bytes } from './core.ts'
import { replaceFile } from './replace-file.ts'
import { reasonOf } from './retry.ts'
import type { Sample, UsageFile } from './sample.ts'

type Kept = Omit<Sample, 'usage'> & { readonly usage: [string, Bytes][] }

/** Counters that the control plane may not have heard of, on the disk: core and agent may both be gone before it does. */
export function keepUsage(file: string, say: (line: string) => void): UsageFile {
  return {
    /** A file that cannot be read is one less to tell of, and no reason to let nobody in. */
    async restore() {
      const found = await readFile(file, 'utf8')
        .then((text) => JSON.parse(text) as Kept[])
        .catch(() => [])
      return found.map((sample) => ({ ...sample, usage: new Map(sample.usage) }))
    },
    async keep(samples) {
      const text = JSON.stringify(samples.map((sample) => ({ ...sample, usage: [...sample.usage] })))
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        .then(() => replaceFile(file, text, 0o600))
        .catch((error) => say(`usage cannot be kept: ${reasonOf(error)}`))
    },
  }
}
