import type { Config } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import { newestVersion } from '../../db/migrate.ts'
import { readMarks } from '../../jobs/marks.store.ts'
import { lateJobs } from '../../jobs/regular.ts'
import { refuseWithoutDatabase, withDatabase } from '../installation.ts'
import { readFirstStart, readServer, readVersion } from './database.store.ts'
import { type Finding, fine, problem } from './finding.ts'

type Pool = Database['pool']

const oldestPostgres = 15
const mostDifference = 2_000

/** Only reads: another version of the server may be using this database. */
export async function examineDatabase(config: Config): Promise<Finding[]> {
  try {
    await refuseWithoutDatabase(config)
    return await withDatabase(
      config,
      () => {},
      'server',
      async ({ pool, db }) => {
        const version = await readVersion(pool)
        const isCurrent = version === (await newestVersion())
        return [
          ...(await examineServer(pool)),
          await examineVersion(version),
          ...(isCurrent ? await examineJobs(pool, db) : []),
        ]
      },
    )
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    return [problem(`The database cannot be used: ${message || code}`)]
  }
}

async function examineServer(pool: Pool): Promise<Finding[]> {
  const { release, number, now } = await readServer(pool)
  const difference = Math.abs(now.getTime() - Date.now())
  return [
    number < oldestPostgres * 10_000
      ? problem(`PostgreSQL ${release} is too old: Kelid needs ${oldestPostgres} or newer.`)
      : fine(`The database answers: PostgreSQL ${release}.`),
    ...(difference > mostDifference
      ? [problem(`The clocks of this machine and the database differ by ${Math.round(difference / 1000)} s.`)]
      : []),
  ]
}

async function examineVersion(version: number | null): Promise<Finding> {
  const newest = await newestVersion()
  if (version === null) return problem('The database is empty: start the server once, or restore a backup.')
  if (version > newest)
    return problem(
      `The database is at version ${version}, newer than this program knows (${newest}): use the newer program.`,
    )
  return version < newest
    ? fine(`The database is at version ${version}; the next start brings it to ${newest}.`)
    : fine(`The database is at version ${version}, as this program needs it.`)
}

async function examineJobs(pool: Pool, db: Database['db']): Promise<Finding[]> {
  const marks = await readMarks(db)
  const findingsOf = (job: string) => marks.get(job)?.outcome.findings ?? 0
  const since = await readFirstStart(pool)
  const late = lateJobs(marks, since, new Date()).map(({ name }) => name)
  return [
    findingsOf('ledger') > 0
      ? problem(`The ledger had ${findingsOf('ledger')} differences at its last check: see "check".`)
      : fine('The ledger added up at its last check.'),
    ...(findingsOf('audit') > 0 ? [problem('The audit log was changed by somebody else: see "check".')] : []),
    late.length > 0
      ? problem(`These regular jobs are late: ${late.join(', ')}. Is a process with the role worker running?`)
      : fine('The regular jobs are on time.'),
  ]
}
