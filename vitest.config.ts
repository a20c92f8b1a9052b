import { defineConfig } from 'vitest/config'

const patience = { testTimeout: 180_000, hookTimeout: 180_000 }

/** These start and end processes and change their surroundings: each file has a process of its own. */
const alone = ['apps/api/src/{cli,db}/**/*.test.ts', 'apps/api/test/faults/**/*.test.ts']

export default defineConfig({
  test: {
    globalSetup: ['apps/api/test/global-setup.ts'],
    // One more than the two cores that a small machine has: many of these wait for a process more than they compute.
    maxWorkers: 3,
    reporters: process.env.CI ? ['default'] : ['dot'],
    projects: [
      { test: { name: 'alone', include: alone, ...patience } },
      {
        test: {
          name: 'in company',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/agent/src/**/*.test.ts',
            'apps/api/{src,test}/**/*.test.ts',
            'scripts/*.test.mjs',
          ],
          exclude: [...alone, '**/node_modules/**'],
          // Files of one process share what they import, which is loaded once instead of fifty times.
          isolate: false,
          ...patience,
        },
      },
    ],
  },
})
