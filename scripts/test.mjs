import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { withSystemPostgres } from './system-postgres.mjs'

const root = join(import.meta.dirname, '..')
const isLong = process.argv.includes('--long')
const vitest = join(root, 'node_modules/.bin/vitest')

function step(title, command, args, env = {}) {
  console.log(`\n== ${title}`)
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (status !== 0) {
    console.error(`\nFailed: ${title}`)
    process.exit(status ?? 1)
  }
}

step('format and lint', 'npm', ['run', '--silent', 'lint'])
step('types', 'npm', ['run', '--silent', 'types'])
step('import boundaries', 'npm', ['run', '--silent', 'boundaries'])
step('the built product', 'npm', ['run', '--silent', 'build'])
step('tests of the client', vitest, ['run', '--config', 'apps/web/vitest.config.ts'])
step('the client in a browser', join(root, 'node_modules/.bin/playwright'), [
  'test',
  '--config=e2e',
  // Each language and each width once; all four together when there is time.
  ...(isLong ? [] : ['--project=en-1280', '--project=fa-360']),
])
step('budgets of first visits', join(root, 'node_modules/.bin/playwright'), ['test', '--config=bench/client'])
step('tests on the embedded PostgreSQL', vitest, ['run'], {
  DATABASE_URL: '',
  ...(isLong && { KELID_TEST_LONG: 'yes' }),
})

/** These start databases of their own, whichever one the run is given; once is enough for them. */
const withOwnDatabase = [
  '**/db/embedded/**',
  '**/cli/embedded.test.ts',
  ...['database-stopped', 'disk-full', 'first-start', 'kill', 'shutdown'].map(
    (name) => `**/faults/${name}.test.ts`,
  ),
]
const closeToTheDatabase = ['src/features/', 'src/db/', 'src/jobs/', 'test/faults/races'].map(
  (part) => `apps/api/${part}`,
)
await withSystemPostgres((url) =>
  step(
    'tests on a system PostgreSQL',
    vitest,
    [
      'run',
      ...(isLong ? ['apps/api'] : closeToTheDatabase),
      ...withOwnDatabase.flatMap((files) => ['--exclude', files]),
    ],
    { DATABASE_URL: url },
  ),
)
if (isLong) step('tests of the tests', process.execPath, [join(root, 'scripts/mutants.mjs')])
