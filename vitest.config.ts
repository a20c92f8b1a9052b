import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Long enough for a machine that does ten things at once: a test that fails says why long before. */
const patience = { testTimeout: 600_000, hookTimeout: 600_000 }

/** These start and end processes, change their surroundings or replace modules: each file has a process of its own. */
const alone = [
  'apps/api/src/{cli,db}/**/*.test.ts',
  'apps/api/src/features/servers/check-target.test.ts',
  'apps/api/test/faults/**/*.test.ts',
]

/** These of them are about what the database itself does. */
const sql = [
  'apps/api/src/db/*.test.ts',
  'apps/api/src/db/backup/*.test.ts',
  'apps/api/test/faults/races-*.test.ts',
]

/** These start Ansible, the core or the agent as programs: seconds for each start. */
const programs = [
  'apps/api/src/features/health/whole-way.test.ts',
  'apps/api/src/features/nodes/{agent,enforced*}.test.ts',
  'apps/api/src/features/provisioning/{checks,confinement,deliver,extra-config,injection,keep-certificate,lying-host,playbook,ssh}.test.ts',
  'apps/api/src/features/vpn-types/{fetch-through,probe-hysteria,real-types,through-wstunnel}.test.ts',
]

/** These try every call with everything. Who may make which call is quick enough to know at once. */
const suites = ['apps/api/test/security/**/*.test.ts']
const quickSuites = ['apps/api/test/security/{authorization,canaries,headers,redaction,routes}.test.ts']

/** It takes minutes, but the order goes by size and would begin it last, when nothing is left to run beside it. */
const longest = 'lying-host.test.ts'

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith(longest)
    const others = sorted.filter((file) => !isLongest(file))
    const first = others.findIndex(({ project }) => project.name === 'thorough')
    return others.toSpliced(Math.max(first, 0), 0, ...sorted.filter(isLongest))
  }
}

/** Files of one process share what they import, which is loaded once instead of fifty times. */
const shared = { isolate: false, ...patience }

export default defineConfig({
  test: {
    globalSetup: ['apps/api/test/global-setup.ts'],
    // One more than the two cores that a small machine has: many of these wait for a process more than they compute.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: process.env.CI ? ['default'] : ['dot'],
    projects: [
      { test: { name: 'alone', include: alone, exclude: sql, ...patience } },
      { test: { name: 'sql', include: sql, ...patience } },
      {
        test: {
          name: 'thorough',
          include: [...programs, ...suites],
          exclude: quickSuites,
          ...shared,
        },
      },
      {
        test: {
          name: 'quick',
          include: [
            ...['packages/*/src/**/*.test.ts', 'apps/{agent,api}/src/**/*.test.ts'],
            ...['apps/api/test/real/*.test.ts', 'scripts/*.test.mjs', 'bench/server/*.test.ts'],
            ...quickSuites,
          ],
          exclude: [...alone, ...programs, '**/node_modules/**'],
          ...shared,
        },
      },
    ],
  },
})
