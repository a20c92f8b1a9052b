import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepareServerPrograms } from './server-programs.mjs'
import { withSystemPostgres } from './system-postgres.mjs'

const root = join(import.meta.dirname, '..')

/** Each has all of the one before it. */
const runs = ['quick', 'usual', 'long']
const [wanted = 'usual'] = process.argv.slice(2)
if (!runs.includes(wanted)) throw new Error(`There is no run "${wanted}": ${runs.join(', ')}`)
const isLong = wanted === 'long'

const bin = (name) => join(root, 'node_modules/.bin', name)
const npm = (script) => ['npm', 'run', '--silent', script]

/** These start their own databases, so one run is enough for them. */
const withOwnDatabase = [
  '**/db/embedded/**',
  '**/cli/embedded.test.ts',
  ...['database-stopped', 'disk-full', 'first-start', 'kill', 'shutdown'].map(
    (name) => `**/faults/${name}.test.ts`,
  ),
]

/** A usual run has each test on one of the two databases; a long run has all of them on both. */
const projectsOnEmbedded = {
  quick: ['--project=quick'],
  usual: ['--project=alone', '--project=thorough'],
  long: [],
}

const steps = [
  { title: 'format and lint', from: 'quick', command: npm('lint') },
  { title: 'types', from: 'quick', command: npm('types') },
  { title: 'import boundaries', from: 'quick', command: npm('boundaries') },
  { title: 'the built product', from: 'usual', command: npm('build') },
  {
    title: 'tests of the client',
    from: 'quick',
    command: [bin('vitest'), 'run', '--config', 'apps/web/vitest.config.ts'],
  },
  {
    title: 'the client in a browser',
    from: 'usual',
    command: [bin('playwright'), 'test', '--config=e2e'],
  },
  {
    title: 'budgets of first visits',
    from: 'usual',
    command: [bin('playwright'), 'test', '--config=bench/client'],
  },
  {
    title: 'the data plane on real hosts',
    from: 'usual',
    command: [process.execPath, 'scripts/dataplane.mjs', ...(isLong ? [] : ['short'])],
  },
  {
    title: 'tests on the embedded PostgreSQL',
    from: 'quick',
    command: [bin('vitest'), 'run', ...projectsOnEmbedded[wanted]],
    ...(wanted !== 'quick' && { before: prepareServerPrograms }),
    env: { DATABASE_URL: '' },
  },
  {
    title: 'tests on a system PostgreSQL',
    from: 'usual',
    within: withSystemPostgres,
    command: [
      ...[bin('vitest'), 'run', ...(isLong ? ['apps/api'] : ['--project=quick', '--project=sql'])],
      ...withOwnDatabase.flatMap((files) => ['--exclude', files]),
    ],
  },
  { title: 'tests of the tests', from: 'long', command: [process.execPath, 'scripts/mutants.mjs'] },
]

function run({ title, before, command, env }) {
  console.log(`\n== ${title}`)
  before?.()
  const [program, ...args] = command
  const since = performance.now()
  const { status } = spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(isLong && { KELID_TEST_LONG: 'yes' }), ...env },
  })
  if (status !== 0) throw new Error(`Failed: ${title}`)
  console.log(`== ${title}: ${((performance.now() - since) / 60_000).toFixed(1)} minutes`)
}

try {
  for (const step of steps.filter(({ from }) => runs.indexOf(from) <= runs.indexOf(wanted)))
    if (step.within) await step.within((url) => run({ ...step, env: { DATABASE_URL: url } }))
    else run(step)
} catch (error) {
  console.error(`\n${error.message}`)
  process.exit(1)
}
