import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { migrate, withMigrationLock } from '../src/db/migrate.ts'
import { createQueues } from '../src/jobs/create-queues.ts'
import { packageRoot } from '../src/lib/package-root.ts'
import { onDatabase, query } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this run; test files make databases of their own on it. */
    server: pg.ClientConfig
    template: string
  }
}

/** The server ends with the run and so does all it has, so waiting for its disk proves nothing here. */
const forgetful = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** One PostgreSQL for the whole run, ours or the one DATABASE_URL names, with a migrated database to copy from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  execFileSync(process.execPath, [join(packageRoot, '../agent/build.mjs')], { stdio: 'inherit' })
  const dataDir = await mkdtemp(join(tmpdir(), 'kelid-test-'))
  // Where PostgreSQL's user cannot enter, the database would go elsewhere and stay there.
  await chmod(dataDir, 0o755)
  const embedded = process.env.DATABASE_URL ? null : await startEmbedded({ dataDir, settings: forgetful })
  const server: pg.ClientConfig = embedded
    ? { ...embedded.owner }
    : { connectionString: process.env.DATABASE_URL ?? '' }
  const template = `kelid_template_${randomBytes(4).toString('hex')}`
  const { rows } = await query(server, 'SHOW server_version')
  console.log(
    `Tests run on PostgreSQL ${rows[0].server_version}${embedded ? ', embedded' : ' of DATABASE_URL'}`,
  )
  await query(server, `CREATE DATABASE ${template}`)
  await fill(onDatabase(server, template))
  project.provide('server', server)
  project.provide('template', template)
  return async () => {
    await query(server, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`)
    await embedded?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function fill(connection: pg.ClientConfig): Promise<void> {
  const pool = new pg.Pool(connection)
  await withMigrationLock(pool, async (client) => {
    await migrate(client)
    await createQueues(client)
  })
  await pool.end()
}
