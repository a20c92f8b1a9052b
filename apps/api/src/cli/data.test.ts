import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, query, type TestDatabase } from '../../test/database.ts'
import {
  contentOf,
  makeBusiness,
  namesIn,
  repacked,
  tablesLeftIn,
  temporaryFolder,
  textIn,
} from '../db/backup/backup.fixture.ts'
import { kelid } from './cli.fixture.ts'

let folder: string
let business: TestDatabase
let backup: string
const envOf = (database: TestDatabase) => ({ DATABASE_URL: database.url, KELID_DATA_DIR: folder })

beforeAll(async () => {
  folder = await temporaryFolder()
  business = await makeBusiness(folder, 0.02)
  backup = join(folder, 'business.gz')
})
afterAll(() => business.drop())

test('backup and restore carry everything to another server, and both are audited', async () => {
  const before = await contentOf(business)
  const made = await kelid(['backup', backup], envOf(business))
  expect(made).toMatchObject({ code: 0 })
  expect(made.stdout).toMatch(/^The backup is in .*business\.gz: 13 tables, \d+ rows, \d+ bytes\.$/m)
  expect(made.stdout).toMatch(/secret key is not in it\. Keep the value of KELID_SECRET_KEY apart/)

  const restored = await createDatabase({ isEmpty: true })
  const outcome = await kelid(['restore', backup], envOf(restored))
  expect(outcome).toMatchObject({ code: 0 })
  expect(outcome.stdout).toMatch(/was restored: 13 tables, \d+ rows\.\n.*adds up.*Everybody signs in again/)
  const after = await contentOf(restored)
  expect(after.audit).toHaveLength((before.audit?.length ?? 0) + 1)
  expect({ ...after, audit: after.audit?.filter((row) => before.audit?.includes(row)) }).toEqual(before)
  for (const [database, action] of [
    [business, 'backup'],
    [restored, 'restore'],
  ] as const) {
    const { rows } = await query(
      database.connection,
      'SELECT actor, action FROM audit ORDER BY id DESC LIMIT 1',
    )
    expect(rows[0]).toEqual({ actor: 'command line', action })
  }
  expect(await kelid(['check'], envOf(restored))).toEqual({
    code: 0,
    stdout: 'The ledger adds up and the audit log is unbroken.\n',
    stderr: '',
  })
  expect((await kelid(['restore', backup], envOf(restored))).stderr).toMatch(/not empty/)
  await restored.drop()
})

test('a restore without the key, or with another one, says where the key belongs and makes nothing', async () => {
  const own = await temporaryFolder()
  const none = { KELID_SECRET_KEY: '', KELID_DATA_DIR: join(own, 'data') }
  const missing = await kelid(['restore', backup], none)
  expect(missing).toMatchObject({ code: 1, stdout: '' })
  expect(missing.stderr).toMatch(/^The secret key is missing\. It is not in a backup: put the secret\.key/)
  const other = await kelid(['restore', backup], {
    ...none,
    KELID_SECRET_KEY: randomBytes(32).toString('hex'),
  })
  expect(other).toMatchObject({ code: 1, stdout: '' })
  expect(other.stderr).toMatch(/under another secret key.*put the secret\.key of the old installation into/)
  expect(
    (await kelid(['restore', join(own, 'no.gz')], { KELID_DATA_DIR: none.KELID_DATA_DIR })).stderr,
  ).toMatch(/^There is no file .*no\.gz\.$/m)
  expect(await namesIn(own)).toEqual([])
})

test('a backup whose ledger or audit log is not sound is not kept', async () => {
  const text = textIn(await readFile(backup))
  const database = await createDatabase({ isEmpty: true })
  const richer = repacked(text, (rows, table) =>
    table === 'users' ? rows.replace(/(\tnone|\t\$argon2\S+)\t1\t(\d+)/, '$1\t1\t9$2') : rows,
  )
  const forged = repacked(text, (rows, table) =>
    table === 'audit' ? rows.replace('\tsignup\t', '\tsignin\t') : rows,
  )
  for (const [file, says] of [
    [richer, /not sound, and nothing of it was kept\. Ledger: \S+: points is 9\d+, its entries sum to/],
    [forged, /not sound, and nothing of it was kept\. Audit log: line \d+ does not follow/],
  ] as const) {
    const path = join(folder, 'unsound.gz')
    await writeFile(path, file)
    const outcome = await kelid(['restore', path], envOf(database))
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toMatch(says)
    expect(await tablesLeftIn(database)).toEqual([])
  }
  await database.drop()
})

test('check finds a balance and an audit line that somebody has changed', async () => {
  const { connection } = business
  await query(connection, `UPDATE users SET points = points + 5 WHERE email = 'reza.karimi@example.com'`)
  await query(connection, 'ALTER TABLE audit DISABLE TRIGGER audit_stays')
  await query(connection, `UPDATE audit SET actor = 'somebody' WHERE id = 3`)
  const { code, stdout, stderr } = await kelid(['check'], envOf(business))
  expect(stdout).toMatch(/^Ledger: reza\.karimi@example\.com: points is \d+, its entries sum to \d+\.$/m)
  expect(stdout).toMatch(/^Audit log: line 3 does not follow from the one before it\.$/m)
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'Something is wrong: 2 findings.\n' })
})
