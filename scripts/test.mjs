import { join } from 'node:path'
import { prepareServerPrograms } from './server-programs.mjs'
import { runStages } from './stages.mjs'
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

const checks = [
  { title: 'format and lint', from: 'quick', command: npm('lint') },
  { title: 'types', from: 'quick', command: npm('types') },
  { title: 'import boundaries', from: 'quick', command: npm('boundaries') },
]
const client = {
  title: 'tests of the client',
  from: 'quick',
  command: [bin('vitest'), 'run', '--config', 'apps/web/vitest.config.ts'],
}
const browser = [
  { title: 'the built product', from: 'usual', command: npm('build') },
  {
    title: 'the client in a browser',
    from: 'usual',
    command: [bin('playwright'), 'test', '--config=e2e'],
  },
]
const budgets = {
  title: 'budgets of first visits',
  from: 'usual',
  command: [bin('playwright'), 'test', '--config=bench/client'],
}
const dataplane = {
  title: 'the data plane on real hosts',
  from: 'usual',
  command: [process.execPath, 'scripts/dataplane.mjs', ...(isLong ? [] : ['short'])],
}
const onEmbedded = {
  title: 'tests on the embedded PostgreSQL',
  from: 'quick',
  command: [bin('vitest'), 'run', ...projectsOnEmbedded[wanted]],
  ...(wanted !== 'quick' && { before: prepareServerPrograms }),
  env: { DATABASE_URL: '' },
}
const onSystem = {
  title: 'tests on a system PostgreSQL',
  from: 'usual',
  within: withSystemPostgres,
  command: [
    ...[bin('vitest'), 'run', ...(isLong ? ['apps/api'] : ['--project=quick', '--project=sql'])],
    ...withOwnDatabase.flatMap((files) => ['--exclude', files]),
  ],
}
const mutants = {
  title: 'tests of the tests',
  from: 'long',
  command: [process.execPath, 'scripts/mutants.mjs'],
}

/**
 * The checks and the client's tests have no time limits, so they run beside steps that mostly wait. Only tests of the
 * project "thorough" change the machine's network, which the data plane watches. Tests with time limits run alone.
 */
const stages = [
  [{ steps: checks, isBeside: true }, { steps: browser }],
  [{ steps: [client], isBeside: true }, { steps: [dataplane] }],
  [{ steps: [budgets] }],
  [{ steps: [onEmbedded] }],
  [{ steps: [onSystem] }],
  [{ steps: [mutants] }],
]

const wantedSteps = ({ steps }) => steps.filter(({ from }) => runs.indexOf(from) <= runs.indexOf(wanted))
const wantedLanes = (stage) =>
  stage.map((lane) => ({ ...lane, steps: wantedSteps(lane) })).filter(({ steps }) => steps.length > 0)
/** A long run has the same tests on both databases, and they would take each other's ports: it has one lane. */
const inSequence = (lanes) => [{ steps: lanes.flatMap(({ steps }) => steps) }]

const chosen = stages.map(wantedLanes).map((lanes) => (isLong ? inSequence(lanes) : lanes))
process.exitCode = await runStages(chosen, {
  cwd: root,
  env: { ...process.env, ...(isLong && { KELID_TEST_LONG: 'yes' }) },
})
