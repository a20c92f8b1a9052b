import { defineConfig } from 'vitest/config'

/** One process for all files: they share the hosts, which take seconds to boot and to set up. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    fileParallelism: false,
    isolate: false,
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ['verbose'],
  },
})
