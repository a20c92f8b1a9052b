import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** One process for all files: machines take seconds to boot. */
export default defineConfig({
  cacheDir: join(import.meta.dirname, '../../node_modules/.cache/package'),
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    fileParallelism: false,
    isolate: false,
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    reporters: ['verbose'],
  },
})
