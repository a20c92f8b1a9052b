import { type Db, PgBoss } from 'pg-boss'
import { queues, regularQueue } from './jobs.ts'
import { regularJobs } from './regular.ts'

interface Connection {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** Creates or updates pg-boss's schema and every queue, as the role that owns them. */
export async function createQueues(client: Connection): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) as ReturnType<Db['executeSql']> },
    supervise: false,
    schedule: false,
  })
  let failure: Error | undefined
  boss.on('error', (error) => {
    failure ??= error
  })
  await client.query(dropOldQueue)
  await boss.start()
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

/** pg-boss cannot update a schema older than version 25. Open work is sent again from our own tables. */
const dropOldQueue = `
  DO $$ BEGIN
    IF to_regclass('pgboss.version') IS NOT NULL THEN
      IF EXISTS (SELECT FROM pgboss.version WHERE version < 25) THEN
        DROP SCHEMA pgboss CASCADE;
      END IF;
    END IF;
  END $$`
