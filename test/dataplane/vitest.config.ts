import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Hosts are set up before they are used, and cleaned at the end. */
class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return files.sort((a, b) => a.moduleId.localeCompare(b.moduleId))
  }
}

/** One process for all files: they share the hosts, which take seconds to boot and to set up. */
export default defineConfig({
  cacheDir: join(import.meta.dirname, '../../node_modules/.cache/dataplane'),
  test: {
    sequence: { sequencer: ByName },
    root: import.meta.dirname,
    include: [process.env.KELID_BENCH === 'yes' ? '*.bench.ts' : '*.test.ts'],
    fileParallelism: false,
    isolate: false,
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    reporters: ['verbose'],
  },
})
