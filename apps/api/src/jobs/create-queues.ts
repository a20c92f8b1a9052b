import PgBoss from 'pg-boss'
import { queues, regularQueue } from './jobs.ts'
import { regularJobs } from './regular.ts'

interface Connection {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** pg-boss sends due cron jobs through this queue. It would create the queue itself, but the everyday role must not. */
const cronQueue = '__pgboss__send-it'

/** Creates or updates pg-boss's schema and every queue, as the role that owns them: each queue is a table. */
export async function createQueues(client: Connection): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) as ReturnType<PgBoss.Db['executeSql']> },
    supervise: false,
    schedule: false,
  })
  await boss.start()
  await boss.createQueue(cronQueue, { name: cronQueue })
  const regular = regularJobs.map(({ name }) => [name, regularQueue] as const)
  for (const [name, options] of [...Object.entries(queues), ...regular]) {
    await boss.createQueue(name, { name, ...options })
    // A queue that an earlier release created has the options of that release.
    await boss.updateQueue(name, { name, ...options })
  }
  await boss.stop({ graceful: false })
}
