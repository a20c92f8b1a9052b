import PgBoss from 'pg-boss'
import type { Context } from '../context.ts'
import { type Database, type Db, sqlRunner } from '../db/database.ts'

/** What can be asked of the workers, and what a job of that kind carries. */
export interface JobData {
  provision: { run: string }
}

/** Work at regular times, by cron line. */
export interface RegularJob {
  readonly name: string
  readonly cron: string
  /** Returns figures for the record of the last success. */
  readonly run: (ctx: Context) => Promise<Record<string, number>>
}

export interface Jobs {
  /** Written in the given transaction: the job exists exactly when the row it belongs to does. */
  send<Name extends keyof JobData>(tx: Db, name: Name, data: JobData[Name]): Promise<void>
  readonly boss: PgBoss
}

const queues: Record<keyof JobData, Omit<PgBoss.Queue, 'name'>> = {
  provision: { policy: 'standard', retryLimit: 2, retryBackoff: true, expireInSeconds: 900 },
}

/** pg-boss on the pool that is there: no second set of connections, and jobs in the same transactions as rows. */
export async function startJobs(
  pool: Database['pool'],
  isWorker: boolean,
  onError: (error: Error) => void,
): Promise<Jobs> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    supervise: isWorker,
    schedule: isWorker,
  })
  boss.on('error', onError)
  await boss.start()
  for (const [name, options] of Object.entries(queues)) await boss.createQueue(name, { name, ...options })
  return {
    boss,
    async send(tx, name, data) {
      await boss.send(name, data, { db: { executeSql: sqlRunner(tx) } })
    },
  }
}
