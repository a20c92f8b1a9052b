import { type Db, getConstructionPlans, PgBoss } from 'pg-boss'
import { queues, regularQueue } from './jobs.ts'
import { regularJobs } from './regular.ts'

interface Connection {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/**
 * Creates pg-boss's schema and every queue, as the role that owns them. A schema of another version is replaced: its
 * migrations would run as the owner on rows that the everyday role can write. Open jobs are queued again from our
 * tables.
 */
export async function createQueues(client: Connection): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) as ReturnType<Db['executeSql']> },
    migrate: false,
    supervise: false,
    schedule: false,
  })
  let failure: Error | undefined
  boss.on('error', (error) => {
    failure ??= error
  })
  await boss.start().catch(async () => {
    await client.query('DROP SCHEMA IF EXISTS pgboss CASCADE')
    await client.query(getConstructionPlans())
    await boss.start()
  })
  const regular = regularJobs.map(({ name }) => [name, regularQueue] as const)
  for (const [name, options] of [...Object.entries(queues), ...regular]) {
    await boss.createQueue(name, options)
    // An earlier release may have created the queue with other options. Its policy never changes.
    const { policy: _, ...changeable } = options
    await boss.updateQueue(name, changeable)
  }
  await boss.stop({ graceful: false })
  if (failure) throw failure
}
