import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createDatabase, query, type TestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { businessForAllTests, tablesLeftIn, temporaryFolder } from '../db/backup/backup.fixture.ts'
import { runKelid, startKelid } from './cli.fixture.ts'

const { folder, business } = businessForAllTests(0.01)
const envOf = (database: TestDatabase) => ({ DATABASE_URL: database.url, KELID_DATA_DIR: folder })

/** Enough that a command is busy for a while. */
beforeAll(async () => {
  await query(
    business.connection,
    `INSERT INTO provision_lines
     SELECT (SELECT uuid FROM provision_runs LIMIT 1), n, now(), md5(n::text) || md5((-n)::text)
     FROM generate_series(10000, 300000) n`,
  )
})

async function begun(own: string): Promise<string> {
  let name = ''
  await until(async () => {
    name = (await readdir(own))[0] ?? ''
    return name && (await stat(join(own, name))).size > 100_000
  })
  return name
}

test('a backup that is killed leaves no file under its name, and the next one works', async () => {
  const own = await temporaryFolder()
  const path = join(own, 'night.gz')
  const { child, outcome } = startKelid(['backup', path], envOf(business))
  const name = await begun(own)
  child.kill('SIGKILL')
  await outcome
  expect(name).toMatch(/^night\.gz\.[0-9a-f]{8}\.part$/)
  expect(await readdir(own)).toEqual([name])
  expect((await stat(join(own, name))).mode & 0o777).toBe(0o600)
  expect(await runKelid(['backup', path], envOf(business))).toMatchObject({ code: 0 })
  expect(await readdir(own)).toContain('night.gz')
})

test('a backup that is interrupted tidies up after itself', async () => {
  const own = await temporaryFolder()
  const { child, outcome } = startKelid(['backup', join(own, 'night.gz')], envOf(business))
  await begun(own)
  child.kill('SIGINT')
  expect(await outcome).toEqual({ code: 1, stdout: '', stderr: 'Interrupted; nothing was changed.\n' })
  expect(await readdir(own)).toEqual([])
})

test('a restore that is killed or interrupted leaves an empty database', async () => {
  const path = join(folder, 'whole.gz')
  expect(await runKelid(['backup', path], envOf(business))).toMatchObject({ code: 0 })
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    const database = await createDatabase({ isEmpty: true })
    const others = async (what: string) => {
      const { rows } = await query(
        database.connection,
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${what}`,
      )
      return rows.length > 0
    }
    const { child, outcome } = startKelid(['restore', path], envOf(database))
    await until(() => others(`query LIKE 'COPY "provision_lines"%'`))
    child.kill(signal)
    const { stderr } = await outcome
    if (signal === 'SIGINT') expect(stderr).toMatch(/Interrupted; nothing was changed\.\n$/)
    await until(async () => !(await others('true')))
    expect(await tablesLeftIn(database)).toEqual([])
    await database.close()
  }
})
