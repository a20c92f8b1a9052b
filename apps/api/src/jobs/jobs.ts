import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, PgBoss, type Queue } from 'pg-boss'
import { type Database, type Db, queryWithUsualTypes, retry, sqlRunner } from '../db/database.ts'

/** What can be asked of the workers, and what a job of that kind carries. */
export interface JobData {
  provision: { run: string }
  compensate: { compensation: string }
  sms: { code: string }
  /** A regular job that can also be asked for. */
  audit: Record<string, never>
}

/** How the jobs of a queue are done. */
export interface Pace {
  pollSeconds: number
  /** Taken together, and the next ones when all of them are done. */
  atOnce: number
  /** Who each take their own: nobody waits for the jobs of another. */
  hands?: number
}

export interface Jobs {
  /** Written in the given transaction: the job exists exactly when the row it belongs to does. */
  send<Name extends keyof JobData>(tx: Db, name: Name, data: JobData[Name]): Promise<void>
  work<Data extends object>(queue: string, pace: Pace, handle: (data: Data) => Promise<void>): Promise<void>
  /** Takes no more jobs and waits for those under way; one that takes too long is left for another worker. */
  stop(timeout: number): Promise<void>
  readonly boss: PgBoss
}

/** At most one of a kind waits: it does what all who asked for it want. */
export const regularQueue = { policy: 'short', retryLimit: 0, expireInSeconds: 600 } as const

export const queues: Record<keyof JobData, Omit<Queue, 'name'>> = {
  // A job only says that there is a run; the run itself knows who has it. It may last for half an hour.
  provision: { policy: 'standard', retryLimit: 2, retryBackoff: true, expireInSeconds: 2_700 },
  compensate: {
    policy: 'standard',
    retryLimit: 10,
    retryDelay: 10,
    retryBackoff: true,
    expireInSeconds: 900,
  },
  sms: { policy: 'standard', retryLimit: 2, retryDelay: 5, expireInSeconds: 60 },
  audit: regularQueue,
}

/** pg-boss on the pool that is there: no second set of connections, and jobs in the same transactions as rows. */
export async function startJobs(
  pool: Database['pool'],
  isWorker: boolean,
  onError: (error: Error) => void,
): Promise<Jobs> {
  let underWay = 0
  let isStopping = false
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    underWay += 1
    return work().finally(() => {
      underWay -= 1
    })
  }
  const boss = new PgBoss({
    // The owner has created its tables and queues, because this role must not.
    migrate: false,
    db: { executeSql: (text, values) => counted(() => retry(() => queryWithUsualTypes(pool, text, values))) },
    supervise: isWorker,
    schedule: isWorker,
  })
  boss.on('error', onError)
  await boss.start()
  return {
    boss,
    async send(tx, name, data) {
      await boss.send(name, data, { db: { executeSql: sqlRunner(tx) } })
    },
    async work<Data extends object>(
      queue: string,
      { pollSeconds, atOnce, hands = 1 }: Pace,
      handle: (data: Data) => Promise<void>,
    ) {
      // One that fails is noted by itself: thrown, it would have all of them done again.
      const done = ({ id, data }: Job<Data>) =>
        handle(data).catch((error: Error) => boss.fail(queue, id, error))
      for (let hand = 0; hand < hands; hand += 1)
        await boss.work<Data>(queue, { pollingIntervalSeconds: pollSeconds, batchSize: atOnce }, (jobs) =>
          counted(async () => {
            if (isStopping) throw new Error('taken at the moment of stopping')
            await Promise.all(jobs.map(done))
          }),
        )
    },
    async stop(timeout) {
      isStopping = true
      const deadline = Date.now() + timeout
      await boss.stop({ graceful: true, timeout })
      // It does not wait for the query that was taking the next job, nor for the one that notes a job as done.
      for (let quiet = 0; quiet < 3 && Date.now() < deadline; quiet = underWay === 0 ? quiet + 1 : 0)
        await sleep(10)
    },
  }
}
