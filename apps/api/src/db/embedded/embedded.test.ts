import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import type { Connection } from './connect.ts'
import { type Access, attachEmbedded, startEmbedded } from './embedded.ts'
import { ask, makeTemporary, postmaster, processesOf, stopLater } from './testbed.ts'

async function settingsOf(connection: Connection, ...names: string[]) {
  const rows = await ask(connection, 'SELECT name, setting FROM pg_settings')
  return Object.fromEntries(
    rows.filter((row) => names.includes(String(row.name))).map((row) => [row.name, row.setting]),
  )
}

describe('a running database', () => {
  const dataDir = join(makeTemporary(), 'long'.repeat(40), 'data')
  let access: Access
  let connection: Connection

  beforeAll(async () => {
    Object.assign(process.env, { PGDATA: '/nonexistent', SOME_SECRET: 'canary' })
    access = stopLater(await startEmbedded({ dataDir }))
    connection = access.owner
  })

  test('has checksums, one fixed locale, no TCP port, and a private socket although its path is long', async () => {
    const names = ['data_checksums', 'listen_addresses', 'max_connections', 'shared_buffers', 'TimeZone']
    expect(await settingsOf(connection, ...names)).toEqual({
      data_checksums: 'on',
      listen_addresses: '',
      max_connections: '100',
      shared_buffers: '8192',
      TimeZone: 'UTC',
    })
    const [{ locale } = {}] = await ask(
      connection,
      `SELECT concat_ws(' ', pg_encoding_to_char(encoding), datlocprovider, datlocale, datcollate) AS locale
       FROM pg_database WHERE datname = current_database()`,
    )
    expect(locale).toBe('UTF8 b C.UTF-8 C')
    expect(statSync(connection.host).mode & 0o777).toBe(0o700)
    expect(connection).toMatchObject({ user: 'kelid', database: 'kelid' })
  })

  test('needs a random password, which is in a closed file and on no command line', async () => {
    const { password } = connection
    expect(password).toMatch(/^[\w-]{32}$/)
    expect(readFileSync(join(dataDir, 'postgres.password'), 'utf8')).toBe(password)
    expect(statSync(join(dataDir, 'postgres.password'))).toMatchObject({
      mode: 0o100600,
      uid: process.getuid?.(),
    })

    await expect(ask({ ...connection, password: 'guess' }, 'SELECT 1')).rejects.toMatchObject({
      code: '28P01',
    })
    const [row] = await ask(
      connection,
      'SELECT DISTINCT left(rolpassword, 14) AS kind FROM pg_authid WHERE rolcanlogin',
    )
    expect(row).toEqual({ kind: 'SCRAM-SHA-256$' })
    for (const { pid } of processesOf(dataDir))
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(password)
  })

  test('gets only the environment variables that it needs', () => {
    const supervisor = postmaster(join(dataDir, 'postgres')).parent
    expect(readFileSync(`/proc/${supervisor}/environ`, 'utf8')).not.toMatch(/PGDATA|canary/)
  })

  test('is what a second process attaches to', async () => {
    expect(await attachEmbedded(dataDir)).toEqual({ connection: access.connection, owner: access.owner })
  })
})

test('a second process that attaches during the first start waits for it, and finds nothing after the stop', async () => {
  const dataDir = join(makeTemporary(), 'data')
  expect(await attachEmbedded(dataDir)).toBeNull()
  const starting = startEmbedded({ dataDir })
  await until(() => existsSync(join(dataDir, 'postgres.password')))
  const attached = await attachEmbedded(dataDir)
  const database = await starting
  expect(attached).toEqual({ connection: database.connection, owner: database.owner })
  await database.stop()
  expect(await attachEmbedded(dataDir)).toBeNull()
})

test('data survives a restart, an unfinished initialization is removed, and the configuration cannot switch durability off', async () => {
  const dataDir = join(makeTemporary(), 'data')
  const first = await startEmbedded({ dataDir })
  await ask(first.owner, 'CREATE TABLE kept AS SELECT 7 AS n')
  await first.stop()

  mkdirSync(join(dataDir, 'postgres.init-killed/data'), { recursive: true })
  appendFileSync(
    join(dataDir, 'postgres/postgresql.conf'),
    `fsync = off\nsynchronous_commit = off\nport = 1\n`,
  )
  const { owner: connection } = stopLater(await startEmbedded({ dataDir }))
  expect(await ask(connection, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
  expect(readdirSync(dataDir)).not.toContain('postgres.init-killed')
  expect(await settingsOf(connection, 'fsync', 'synchronous_commit', 'full_page_writes')).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
  })
})

test('stop() ends every process although clients are connected, may be called again, and is no loss', async () => {
  const dataDir = join(makeTemporary(), 'data')
  const database = await startEmbedded({ dataDir })
  const client = ask(database.connection, 'SELECT pg_sleep(60)')
  const outcome = expect(client).rejects.toThrow()
  await Promise.all([database.stop(), database.stop()])
  await database.stop()
  await outcome

  expect(processesOf(dataDir)).toEqual([])
  expect(await Promise.race([database.lost, Promise.resolve('not lost')])).toBe('not lost')
  expect(readdirSync(dataDir).filter((name) => name.includes('init'))).toEqual([])
  expect(readFileSync(join(dataDir, 'postgres/global/pg_control')).readInt32LE(16), 'shut down cleanly').toBe(
    1,
  )
})

test('a crash of the server is reported with its reason, and the database starts again in the same process', async () => {
  const dataDir = join(makeTemporary(), 'data')
  const database = await startEmbedded({ dataDir })
  process.kill(postmaster(join(dataDir, 'postgres')).pid, 'SIGKILL')
  expect(await database.lost).toMatch(/PostgreSQL was ended by signal 9/)
  await database.stop()

  const again = stopLater(await startEmbedded({ dataDir }))
  expect(await ask(again.owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test("a failed start reports PostgreSQL's message, leaves nothing running and can be repeated", async () => {
  const dataDir = join(makeTemporary(), 'data')
  await (await startEmbedded({ dataDir })).stop()
  const configuration = join(dataDir, 'postgres/postgresql.conf')
  const good = readFileSync(configuration)
  appendFileSync(configuration, 'no_such_setting = 1\n')
  await expect(startEmbedded({ dataDir })).rejects.toThrow(/did not start.*no_such_setting/s)
  expect(processesOf(dataDir)).toEqual([])

  writeFileSync(configuration, good)
  writeFileSync(join(dataDir, 'postgres.password'), 'another')
  await expect(startEmbedded({ dataDir })).rejects.toThrow(/password kept in KELID_DATA_DIR/)
  expect(processesOf(dataDir)).toEqual([])
})
