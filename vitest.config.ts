import { defineConfig } from 'vitest/config'

const patience = { testTimeout: 180_000, hookTimeout: 180_000 }

/** These change what the whole process knows, such as where temporary files go: each file has a process of its own. */
const alone = ['apps/api/src/db/embedded/*.test.ts']

/** These start the product, Ansible or the core as programs: seconds for each start. */
const programs = [
  'apps/api/src/{cli,db}/**/*.test.ts',
  'apps/api/src/features/health/probe-hysteria.test.ts',
  'apps/api/src/features/nodes/agent*.test.ts',
  'apps/api/src/features/provisioning/{injection,playbook,ssh}.test.ts',
]

/** These try every call with everything, race, kill and wait. Who may make which call is quick enough to know at once. */
const suites = ['apps/api/test/{door,faults}/**/*.test.ts']
const quickSuites = ['apps/api/test/door/{authorization,canaries,headers,redaction,routes}.test.ts']

/** Files of one process share what they import, which is loaded once instead of fifty times. */
const shared = { isolate: false, ...patience }

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
          name: 'thorough',
          include: [...programs, ...suites],
          exclude: [...alone, ...quickSuites],
          ...shared,
        },
      },
      {
        test: {
          name: 'quick',
          include: [
            ...['packages/*/src/**/*.test.ts', 'apps/{agent,api}/src/**/*.test.ts', 'scripts/*.test.mjs'],
            ...quickSuites,
          ],
          exclude: [...alone, ...programs, '**/node_modules/**'],
          ...shared,
        },
      },
    ],
  },
})
