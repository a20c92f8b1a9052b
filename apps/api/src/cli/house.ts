import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import { type Context, createContext } from '../context.ts'
import { joinDatabase } from '../db/connect.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { homeOf } from '../db/embedded/place.ts'
import { migrate, withMigrationLock } from '../db/migrate.ts'
import { checkKey } from '../features/auth/first-start.ts'
import { startJobs } from '../jobs/jobs.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { loadSecretKey } from '../lib/secret-key.ts'

type Say = (line: string) => void

/** What a command may take as long as it likes for. */
const patient = { max: 3, statement_timeout: 0, idle_in_transaction_session_timeout: 0 }
const log = pino({ level: 'silent' })

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Whether there is a database to speak of; an embedded one would otherwise be made by looking for it. */
export async function hasDatabase(config: Config): Promise<boolean> {
  if (config.DATABASE_URL) return true
  const { KELID_DATA_DIR } = config
  return (await exists(KELID_DATA_DIR)) && exists(join(await homeOf(KELID_DATA_DIR), 'postgres'))
}

/** The database of the running server, or else one that runs for the time of the work. */
export async function withDatabase<T>(
  config: Config,
  say: Say,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const connected = await joinDatabase(config, say)
  try {
    const database = openDatabase({ ...connected.connection, ...patient }, log)
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  } finally {
    await connected.stop()
  }
}

/** All that the rules of the product need, as at a start but for the first administrator. */
export const withContext = <T>(
  config: Config,
  say: Say,
  work: (ctx: Context) => Promise<T>,
  clock: Clock = systemClock,
): Promise<T> =>
  withDatabase(config, say, async (database) => {
    const secretKey = await loadSecretKey(config.KELID_DATA_DIR, config.KELID_SECRET_KEY)
    const ctx = await withMigrationLock(database.pool, async (client) => {
      await migrate(client, say)
      const jobs = await startJobs(database.pool, false, () => {})
      const made = createContext({ config, database, clock, secretKey, jobs, log })
      await checkKey(made)
      return made
    })
    try {
      return await work(ctx)
    } finally {
      await ctx.jobs.boss.stop({ graceful: false })
    }
  })
