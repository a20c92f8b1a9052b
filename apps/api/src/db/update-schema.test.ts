import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { signIn, signUp } from '@kelid/contract'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createSplitDatabase, query } from '../../test/database.ts'
import { startProcess } from '../../test/process.ts'
import { ask, runKelid } from '../cli/cli.fixture.ts'
import { createQueues } from '../jobs/create-queues.ts'
import { temporaryFolder } from './backup/backup.fixture.ts'
import { attachEmbedded, startEmbedded } from './embedded/embedded.ts'
import { migrate, withMigrationLock } from './migrate.ts'

/** As a release left it in which one role did everything. */
async function oldInstallation(dataDir: string): Promise<void> {
  const embedded = await startEmbedded({ dataDir })
  const pool = new pg.Pool(embedded.owner)
  await pool.query(`DROP ROLE ${embedded.connection.user}`)
  await withMigrationLock(pool, async (client) => {
    await migrate(client)
    await createQueues(client)
    // pg-boss 12 cannot update a schema of pg-boss 10.
    await client.query('UPDATE pgboss.version SET version = 24')
  })
  await pool.end()
  await embedded.stop()
}

test('an installation of one role is converted by the next start, and works as before', async () => {
  const dataDir = await temporaryFolder()
  await chmod(dataDir, 0o755)
  await oldInstallation(dataDir)
  const server = await startProcess({ KELID_DATA_DIR: dataDir })
  onTestFinished(async () => void (await server.kill('SIGTERM')))
  const reseller = { email: 'sara@example.com', password: 'Aa1-some-long-words' }
  await ask(server.url, signUp, reseller)
  await ask(server.url, signIn, reseller)

  const access = await attachEmbedded(dataDir)
  if (!access) throw new Error('no database runs')
  const { rows } = await query(
    access.owner,
    `SELECT (SELECT array_agg(DISTINCT usename::text) FROM pg_stat_activity
             WHERE application_name IN ('kelid', 'kelid events')) AS working,
            (SELECT array_agg(DISTINCT tableowner::text) FROM pg_tables WHERE schemaname = 'public') AS tables,
            (SELECT array_agg(DISTINCT tableowner::text) FROM pg_tables WHERE schemaname = 'pgboss') AS queue,
            (SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls FROM pg_roles
             WHERE rolname = 'kelid_app') AS mighty,
            (SELECT version > 24 FROM pgboss.version) AS updated`,
  )
  expect(rows).toEqual([
    { working: ['kelid_app'], tables: ['kelid'], queue: ['kelid'], mighty: false, updated: true },
  ])
  for (const statement of ['SET session_replication_role = replica', 'ALTER TABLE audit DISABLE TRIGGER ALL'])
    await expect(query(access.connection, statement)).rejects.toThrow(/permission denied|must be owner/)
  expect(await runKelid(['check'], { KELID_DATA_DIR: dataDir })).toMatchObject({ code: 0 })
})

test('a server of the operator with two roles: the one works, the other migrates, backs up and restores', async () => {
  const folder = await temporaryFolder()
  const database = await createSplitDatabase()
  const env = { DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl, KELID_DATA_DIR: folder }
  const server = await startProcess(env)
  await ask(server.url, signUp, { email: 'sara@example.com', password: 'Aa1-some-long-words' })
  const path = join(folder, 'split.gz')
  expect(await runKelid(['backup', path], env)).toMatchObject({ code: 0 })
  expect(await runKelid(['check'], env)).toMatchObject({ code: 0 })
  await server.kill('SIGTERM')
  await expect(query(database.connection, 'ALTER TABLE audit DISABLE TRIGGER ALL')).rejects.toThrow(/owner/)

  const other = await createSplitDatabase()
  const otherEnv = { ...env, DATABASE_URL: other.url, DATABASE_OWNER_URL: other.ownerUrl }
  expect(await runKelid(['restore', path], otherEnv)).toMatchObject({ code: 0 })
  expect(await runKelid(['reset-password', 'sara@example.com'], otherEnv)).toMatchObject({ code: 0 })
  expect(await runKelid(['check'], otherEnv)).toMatchObject({ code: 0 })
  await database.close()
  await other.close()
})
