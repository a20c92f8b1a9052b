import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { getUser, signIn } from '@kelid/contract'
import pg from 'pg'
import { beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { withMigrationLock } from '../../src/db/migrate.ts'
import { packageRoot } from '../../src/lib/package-root.ts'
import { callAt } from '../calls.ts'
import { createDatabase, query } from '../database.ts'
import { openForEachTest } from '../hooks.ts'
import { launch, startProcess } from '../process.ts'
import { testEnvironment } from '../product.ts'
import { scale, seedOf } from '../scale.ts'
import { dataDirForAllTests, killProcessesOf } from './process-tree.ts'
import { random } from './random.ts'

vi.setConfig({ testTimeout: scale(600_000, 900_000) })

const database = openForEachTest(() => createDatabase({ isEmpty: true }))
const dataDirs = dataDirForAllTests()
let dataDir: string
beforeEach(() => {
  dataDir = join(dataDirs, randomUUID())
})

async function signedIn(url: string, email: string, password: string): Promise<number> {
  const { token } = (await callAt(url)(signIn, { email, password })).answer()
  return (await callAt(url, token)(getUser, {})).answer().userLevel
}

/** Each of these must exist once, however often the product was started and killed. */
async function expectOneOfEach(url: string): Promise<void> {
  const files = await readdir(join(packageRoot, 'migrations'))
  const { rows } = await query(
    database.connection,
    `SELECT (SELECT count(*)::int FROM schema_migrations) AS migrations, (SELECT count(*)::int FROM users) AS users,
            (SELECT count(*)::int FROM audit WHERE action = 'createadmin') AS created,
            (SELECT count(*)::int FROM installation) AS keys`,
  )
  expect(rows[0]).toEqual({ migrations: files.length, users: 1, created: 1, keys: 1 })
  const { KELID_ADMIN_EMAIL, KELID_ADMIN_PASSWORD } = testEnvironment
  expect(await signedIn(url, KELID_ADMIN_EMAIL, KELID_ADMIN_PASSWORD)).toBe(10)
}

test.each([
  ['two API instances and a worker', ['api', 'api', 'worker']],
  ['three that do everything', ['all', 'all', 'all']],
])('%s started at the same moment on an empty database make it ready once', async (_, roles) => {
  const started = await Promise.allSettled(
    roles.map((KELID_ROLE) => startProcess({ KELID_ROLE, DATABASE_URL: database.url })),
  )
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  try {
    expect(started.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(running.filter((one) => /The first administrator/.test(one.output()))).toHaveLength(1)
    for (const { url } of running.filter((one) => one.url)) await expectOneOfEach(url)
  } finally {
    await Promise.all(running.map((one) => one.kill('SIGTERM')))
  }
})

test('a first start that is killed at any moment is completed by the next start', async () => {
  const dice = random(seedOf('first start killed'))
  const moments = [/starting/, /Preparing the database/, /The first administrator/, /ready at/]
  for (let round = 0; round < scale(1, 10); round += 1) {
    await database.close()
    Object.assign(database, await createDatabase({ isEmpty: true }))
    const env = { DATABASE_URL: database.url, KELID_DATA_DIR: dataDir }
    for (const moment of moments) {
      const product = launch(env)
      await product.says(moment)
      await new Promise((resolve) => setTimeout(resolve, dice.whole(0, 40)))
      await product.kill()
    }
    const product = await startProcess(env)
    await expectOneOfEach(product.url)
    await product.kill('SIGTERM')
  }
})

test('a process that is killed while it creates its database creates it at the next start', async () => {
  const env = { KELID_DATA_DIR: dataDir }
  for (const moment of [
    /starting/,
    /Creating the database/,
    /Preparing the database/,
    /first administrator/,
  ]) {
    const product = launch(env)
    await product.says(moment)
    await product.kill()
    if (moment.source === 'Preparing the database') await killProcessesOf(dataDir)
  }
  const product = await startProcess(env)
  const { KELID_ADMIN_EMAIL, KELID_ADMIN_PASSWORD } = testEnvironment
  expect(await signedIn(product.url, KELID_ADMIN_EMAIL, KELID_ADMIN_PASSWORD)).toBe(10)
  await product.kill('SIGTERM')
})

const passwordIn = (output: string) => /password {2}(\S{20,})/.exec(output)?.[1]

test('the random password is printed even if the start fails after it', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => taken.once('listening', listening))
  const { port } = taken.address() as { port: number }
  const env = { DATABASE_URL: database.url, KELID_DATA_DIR: dataDir, KELID_ADMIN_PASSWORD: '' }
  const failed = launch({ ...env, PORT: String(port) })
  expect(await failed.ended()).toBe(1)
  expect(failed.output()).toMatch(/is taken by another program/)
  await new Promise((closed) => taken.close(closed))

  const product = await startProcess(env)
  const password = passwordIn(failed.output() + product.output())
  expect(password).toBeDefined()
  expect(await signedIn(product.url, testEnvironment.KELID_ADMIN_EMAIL, password ?? '')).toBe(10)
  await product.kill('SIGTERM')
})

test('a second instance waits for the first as long as it takes', async () => {
  const impatient = openDatabase({ ...database.connection, statement_timeout: 200 }, { warn: () => {} })
  const first = new pg.Client(database.connection)
  await first.connect()
  await first.query('SELECT pg_advisory_lock($1)', [0x6b656c69])
  const second = withMigrationLock(impatient.pool, async (client) => {
    await client.query('SELECT pg_sleep(0.5)')
    return 'done'
  })
  await first.query('SELECT pg_sleep(0.5)')
  await first.end()
  expect(await second).toBe('done')
  await expect(impatient.pool.query('SELECT pg_sleep(0.5)')).rejects.toThrow('statement timeout')
  await impatient.close()
})
