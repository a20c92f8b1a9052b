import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, PgBoss, type Queue } from 'pg-boss'
import { type Database, type Db, queryWithUsualTypes, retry, sqlRunner } from '../db/database.ts'

export interface JobData {
  provision: { run: string }
  compensate: { compensation: string }
  prove: Record<string, never>
  rollout: Record<string, never>
  sms: { code: string }
  audit: Record<string, never>
}

export interface Pace {
  pollSeconds: number
  atOnce: number
  /** Independent workers, so that no job waits for another's batch. */
  hands?: number
}

export interface Jobs {
  /** Written in the given transaction: the job exists exactly if its row does. */
  send<Name extends keyof JobData>(tx: Db, name: Name, data: JobData[Name]): Promise<void>
  work<Data extends object>(queue: string, pace: Pace, handle: (data: Data) => Promise<void>): Promise<void>
  /** Takes no more jobs and waits for running ones; a slow one is left for another worker. */
  stop(timeout: number): Promise<void>
  readonly boss: PgBoss
}

/** At most one job of a kind waits; it serves all requests. */
export const regularQueue = { policy: 'short', retryLimit: 0, expireInSeconds: 600 } as const

export const queues: Record<keyof JobData, Omit<Queue, 'name'>> = {
  // The job only names the run, whose lease decides who executes it. A run may take an hour.
  provision: { policy: 'standard', retryLimit: 2, retryBackoff: true, expireInSeconds: 4_500 },
  compensate: {
    policy: 'standard',
    retryLimit: 10,
    retryDelay: 10,
    retryBackoff: true,
    expireInSeconds: 900,
  },
  sms: { policy: 'standard', retryLimit: 2, retryDelay: 5, expireInSeconds: 60 },
  prove: regularQueue,
  rollout: regularQueue,
  audit: regularQueue,
}

/** pg-boss on the existing pool: no further connections, and jobs in the same transactions as rows. */
export async function startJobs(
  pool: Database['pool'],
  isWorker: boolean,
  onError: (error: Error) => void,
): Promise<Jobs> {
  let underWay = 0
  let isStopping = false
  const trackQuery = async <T>(work: () => Promise<T>): Promise<T> => {
    underWay += 1
    return work().finally(() => {
      underWay -= 1
    })
  }
  const boss = new PgBoss({
    // The owner has created its tables and queues, because this role must not.
    migrate: false,
    db: {
      executeSql: (text, values) => trackQuery(() => retry(() => queryWithUsualTypes(pool, text, values))),
    },
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
      // A failed job is recorded on its own: a thrown error would repeat the whole batch.
      const complete = ({ id, data }: Job<Data>) =>
        handle(data).catch((error: Error) => boss.fail(queue, id, error))
      for (let hand = 0; hand < hands; hand += 1)
        await boss.work<Data>(queue, { pollingIntervalSeconds: pollSeconds, batchSize: atOnce }, (jobs) =>
          trackQuery(async () => {
            if (isStopping) throw new Error('the worker is stopping')
            await Promise.all(jobs.map(complete))
          }),
        )
    },
    async stop(timeout) {
      isStopping = true
      const deadline = Date.now() + timeout
      await boss.stop({ graceful: true, timeout })
      // pg-boss does not await the queries that fetch a job and mark it as done.
      for (
        let quietRounds = 0;
        quietRounds < 3 && Date.now() < deadline;
        quietRounds = underWay === 0 ? quietRounds + 1 : 0
      )
        await sleep(10)
    },
  }
}
