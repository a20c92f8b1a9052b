import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createDatabase, query, type TestDatabase } from '../../test/database.ts'
import {
  businessForAllTests,
  contentOf,
  namesIn,
  repack,
  tablesLeftIn,
  temporaryFolder,
  testKey,
  textIn,
  withoutSeal,
  withPool,
} from '../db/backup/backup.fixture.ts'
import { writeBackup } from '../db/backup/backup.ts'
import { keptTables } from '../db/backup/tables.ts'
import { migrateWithin } from '../db/migrate.ts'
import { createSeal } from '../lib/seal.ts'
import { kelid, runKelid } from './cli.fixture.ts'

const { folder, business } = businessForAllTests()
const backup = join(folder, 'business.gz')
const envOf = (database: TestDatabase) => ({ DATABASE_URL: database.url, KELID_DATA_DIR: folder })

test('backup and restore carry everything to another server, and both are audited', async () => {
  const before = await contentOf(business)
  for (const table of keptTables) expect(before[table], table).not.toEqual([])
  const made = await runKelid(['backup', backup], envOf(business))
  expect(made).toMatchObject({ code: 0 })
  expect(made.stdout).toMatch(
    new RegExp(
      `^The backup is in .*business\\.gz: ${keptTables.length} tables, \\d+ rows, \\d+ bytes\\.$`,
      'm',
    ),
  )
  expect(made.stdout).toMatch(/secret key is not in it\. Keep the value of KELID_SECRET_KEY apart/)

  const restored = await createDatabase({ isEmpty: true })
  const outcome = await runKelid(['restore', backup], envOf(restored))
  expect(outcome).toMatchObject({ code: 0 })
  expect(outcome.stdout).toMatch(
    new RegExp(
      `was restored: ${keptTables.length} tables, \\d+ rows\\.\\n.*adds up.*All users must sign in again`,
    ),
  )
  const after = await contentOf(restored)
  expect(after.audit).toHaveLength((before.audit?.length ?? 0) + 1)
  expect({
    ...after,
    audit: after.audit?.filter((row) => before.audit?.includes(row)),
    audit_end: before.audit_end,
  }).toEqual(before)
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
  await restored.close()
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
  expect(other.stderr).toMatch(
    /under another secret key.*not in the file.*put the secret\.key of the old installation into KELID_DATA_DIR or set KELID_SECRET_KEY/,
  )
  expect(
    (await kelid(['restore', join(own, 'no.gz')], { KELID_DATA_DIR: none.KELID_DATA_DIR })).stderr,
  ).toMatch(/^There is no file .*no\.gz\.$/m)
  expect(await namesIn(own)).toEqual([])
})

test('a backup whose ledger or audit log is not sound is not kept', async () => {
  const text = textIn(await readFile(backup))
  const database = await createDatabase({ isEmpty: true })
  const richer = repack(text, (rows, table) =>
    table === 'users' ? rows.replace(/(\tnone|\t\$argon2\S+)\t1\t(\d+)/, '$1\t1\t9$2') : rows,
  )
  const forged = repack(text, (rows, table) =>
    table === 'audit' ? rows.replace('\tsignup\t', '\tsignin\t') : rows,
  )
  for (const [file, says] of [
    [richer, /invalid, and nothing was restored\. Ledger: \S+: points is 9\d+, its entries sum to/],
    [forged, /invalid, and nothing was restored\. Audit log: line \d+ does not follow/],
  ] as const) {
    const path = join(folder, 'unsound.gz')
    await writeFile(path, file)
    const outcome = await kelid(['restore', path], envOf(database))
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toMatch(says)
    expect(await tablesLeftIn(database)).toEqual([])
  }
  await database.close()
})

/** Removes lines as the owner of the database can. */
async function cutAudit(database: TestDatabase, lines: number): Promise<number> {
  const { rows } = await query(database.connection, 'SELECT max(id)::int AS last FROM audit')
  const last = Number(rows[0].last)
  await query(database.connection, 'ALTER TABLE audit DISABLE TRIGGER audit_stays')
  await query(database.connection, 'DELETE FROM audit WHERE id > $1', [last - lines])
  await query(database.connection, 'ALTER TABLE audit ENABLE TRIGGER audit_stays')
  return last
}

test('an audit log that was cut at its end is found in the database and in its backup', async () => {
  const copy = await createDatabase({ isEmpty: true })
  expect(await kelid(['restore', backup], envOf(copy))).toMatchObject({ code: 0 })
  expect(await kelid(['check', backup], envOf(copy))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/is whole and unchanged, and its audit log ends where/),
  })
  const last = await cutAudit(copy, 2)
  const says = `${last} lines were written, and it ends with line ${last - 2}`
  expect((await kelid(['check'], envOf(copy))).stdout).toBe(`Audit log: ${says}.\n`)

  const marked = 'UPDATE audit_end SET (line, hash) = (SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1)'
  for (const [tamper, fault] of [
    ['', says],
    [marked, 'the mark of its end is not what this installation wrote'],
    [`${marked}, mac = NULL`, 'the mark of its end is not what this installation wrote'],
    ['DELETE FROM audit_end', 'the mark of its end is not what this installation wrote'],
  ] as const) {
    const path = join(await temporaryFolder(), 'cut.gz')
    if (tamper) await query(copy.connection, tamper)
    expect((await kelid(['check'], envOf(copy))).stdout).toContain(`Audit log: ${fault}.\n`)
    await withPool(copy, (pool) => writeBackup(pool, path, { now: new Date(), key: testKey }))
    const empty = await createDatabase({ isEmpty: true })
    for (const outcome of [
      await kelid(['restore', path], envOf(empty)),
      await kelid(['check', path], envOf(empty)),
    ]) {
      expect(outcome).toMatchObject({ code: 1, stdout: '' })
      expect(outcome.stderr).toContain(`Audit log: ${fault}.`)
    }
    expect(await tablesLeftIn(empty)).toEqual([])
    if (!tamper) {
      expect(await kelid(['restore', '--unsealed', path], envOf(empty))).toMatchObject({ code: 0 })
      expect(await kelid(['check'], envOf(empty))).toMatchObject({ code: 0 })
      const { rows } = await query(
        empty.connection,
        `SELECT actor, detail FROM audit WHERE action = 'anchoraudit' ORDER BY id DESC LIMIT 1`,
      )
      expect(rows).toEqual([{ actor: 'command line', detail: `{"line":${last - 2}}` }])
    }
    await empty.close()
  }
  // What comes after does not make it good.
  expect(await kelid(['reset-password', 'reza.karimi@example.com'], envOf(copy))).toMatchObject({ code: 0 })
  expect((await kelid(['check'], envOf(copy))).stdout).toContain('the mark of its end is not what')
  await copy.close()
})

test('a changed file is refused by restore and by check, and one without a seal unless the operator says so', async () => {
  const text = textIn(await readFile(backup))
  const path = join(folder, 'changed.gz')
  const anotherSeal = createSeal(randomBytes(32))
  await writeFile(
    path,
    repack(text, (rows) => rows, anotherSeal),
  )
  const database = await createDatabase({ isEmpty: true })
  for (const command of ['restore', 'check'])
    expect(await kelid([command, path], envOf(database))).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'The seal of the backup is wrong, so somebody has changed it since this installation wrote it. Use another copy.\n',
    })
  await writeFile(path, withoutSeal(text))
  for (const command of ['restore', 'check'])
    expect((await kelid([command, path], envOf(database))).stderr).toMatch(
      /did not seal its files.*say so with --unsealed/,
    )
  expect((await kelid(['check', '--unsealed', path], envOf(database))).stdout).toMatch(
    /is whole, but nothing proves who wrote it\.$/m,
  )
  expect(await kelid(['restore', '--unsealed', path], envOf(database))).toMatchObject({ code: 0 })
  expect(await kelid(['check'], envOf(database))).toMatchObject({ code: 0 })
  await database.close()
})

/** As an earlier release left it: at that version of the schema, with the same people, ledger and audit log. */
async function asOfVersion(version: number, { connection }: TestDatabase): Promise<TestDatabase> {
  const old = await createDatabase({ isEmpty: true })
  const client = new pg.Client(old.connection)
  await client.connect()
  await migrateWithin(client, version)
  for (const table of ['installation', 'users', 'ledger_transactions', 'ledger_entries', 'audit']) {
    const { rows } = await query(connection, `SELECT jsonb_agg(t ORDER BY t) AS lines FROM ${table} t`)
    const lines = `jsonb_populate_recordset(NULL::${table}, $1)`
    await client.query(`INSERT INTO ${table} SELECT * FROM ${lines}`, [JSON.stringify(rows[0].lines)])
  }
  await client.end()
  return old
}

test('a log of the release before is anchored once, and a backup needs the right key', async () => {
  const old = await asOfVersion(5, business)
  await query(old.connection, 'ALTER TABLE audit DISABLE TRIGGER audit_stays')
  await query(old.connection, `DELETE FROM audit WHERE action = 'anchoraudit'`)
  const path = join(folder, 'other-key.gz')
  expect((await kelid(['backup', path], envOf(old))).stderr).toMatch(/is at version \d+, and this program's/)
  expect((await kelid(['check'], envOf(old))).stdout).toMatch(/^Audit log: line 2 does not follow/)
  const { rows } = await query(old.connection, `SELECT actor FROM audit WHERE action = 'anchoraudit'`)
  expect(rows).toEqual([{ actor: 'start' }])
  const otherKey = { ...envOf(old), KELID_SECRET_KEY: randomBytes(32).toString('hex') }
  expect((await kelid(['backup', path], otherKey)).stderr).toMatch(/^The secret key at hand is not the one/)
  await old.close()
})

test('check finds a changed balance and a changed audit line', async () => {
  const { connection } = business
  await query(connection, `UPDATE users SET points = points + 5 WHERE email = 'reza.karimi@example.com'`)
  await query(connection, 'ALTER TABLE audit DISABLE TRIGGER audit_stays')
  await query(connection, `UPDATE audit SET actor = 'somebody' WHERE id = 3`)
  const { code, stdout, stderr } = await runKelid(['check'], envOf(business))
  expect(stdout).toMatch(/^Ledger: reza\.karimi@example\.com: points is \d+, its entries sum to \d+\.$/m)
  expect(stdout).toMatch(/^Audit log: line 3 does not follow from the one before it\.$/m)
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'Problems found: 2.\n' })
})
