import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import { type Context, createContext } from '../context.ts'
import { type DatabaseConnection, joinDatabase } from '../db/connect.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { homeOf } from '../db/embedded/cluster-location.ts'
import { isUnused, withMigrationLock } from '../db/migrate.ts'
import { updateSchema } from '../db/update-schema.ts'
import { anchorAudit } from '../features/audit/audit.ts'
import { checkKey } from '../features/auth/first-start.ts'
import { createQueues } from '../jobs/create-queues.ts'
import { startJobs } from '../jobs/jobs.ts'
import { systemClock } from '../lib/clock.ts'
import { loadSecretKey } from '../lib/secret-key.ts'
import { CommandFailure } from './command.ts'

type Say = (line: string) => void

const noTimeouts = {
  max: 3,
  statement_timeout: 0,
  idle_in_transaction_session_timeout: 0,
}
const log = pino({ level: 'silent' })

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Otherwise opening the embedded database would create one. */
export async function refuseWithoutDatabase({ DATABASE_URL, KELID_DATA_DIR }: Config): Promise<void> {
  const isThere =
    DATABASE_URL ||
    ((await exists(KELID_DATA_DIR)) && (await exists(join(await homeOf(KELID_DATA_DIR), 'postgres'))))
  if (!isThere)
    throw new CommandFailure(
      `There is no database in ${KELID_DATA_DIR}: set KELID_DATA_DIR to the folder of the installation, or DATABASE_URL.`,
    )
}

/** Uses the database of the running server, or starts it for the duration of the command. */
export async function withDatabase<T>(
  config: Config,
  say: Say,
  as: 'owner' | 'server',
  work: (database: Database, owner: DatabaseConnection['owner']) => Promise<T>,
): Promise<T> {
  const { connection, owner, stop } = await joinDatabase(config, say)
  try {
    const database = openDatabase({ ...((as === 'owner' && owner) || connection), ...noTimeouts }, log)
    try {
      return await work(database, owner)
    } finally {
      await database.close()
    }
  } finally {
    await stop()
  }
}

export async function withContext<T>(
  config: Config,
  say: Say,
  work: (ctx: Context) => Promise<T>,
  { mayBeEmpty = false } = {},
): Promise<T> {
  if (!mayBeEmpty) await refuseWithoutDatabase(config)
  return withDatabase(config, say, 'server', async (database, owner) => {
    const ctx = await withMigrationLock(database.pool, async (client) => {
      if (!mayBeEmpty && (await isUnused(client)))
        throw new CommandFailure('The database is empty: start the server once, or restore a backup.')
      const secretKey = await loadSecretKey(config.KELID_DATA_DIR, config.KELID_SECRET_KEY)
      await updateSchema(client, { owner, createQueues, onProgress: say })
      const jobs = await startJobs(database.pool, false, () => {})
      const context = createContext({ config, database, clock: systemClock, secretKey, jobs, log })
      await checkKey(context)
      await context.atomically((tx) => anchorAudit(context, tx))
      return context
    })
    try {
      return await work(ctx)
    } finally {
      await ctx.jobs.boss.stop({ graceful: false })
    }
  })
}
