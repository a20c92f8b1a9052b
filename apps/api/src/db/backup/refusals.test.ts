import { randomBytes } from 'node:crypto'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createDatabase, databaseForAllTests, query } from '../../../test/database.ts'
import { scale, seedOf } from '../../../test/scale.ts'
import { randomFrom } from '../../demo/random.ts'
import { packageRoot } from '../../lib/package-root.ts'
import { createSeal } from '../../lib/seal.ts'
import { newestVersion } from '../migrate.ts'
import {
  backUp,
  businessForAllTests,
  contentOf,
  repack,
  restoreInto,
  tablesLeftIn,
  textIn,
  zip,
} from './backup.fixture.ts'
import { readBackup } from './read.ts'
import { BackupRefusal } from './refusal.ts'

const { folder, business } = businessForAllTests(0.02)
const empty = databaseForAllTests({ isEmpty: true })
let whole: Buffer
let text: string
beforeAll(async () => {
  await backUp(business, join(folder, 'whole.gz'))
  whole = await readFile(join(folder, 'whole.gz'))
  text = textIn(whole)
})

async function refused(file: Buffer): Promise<string> {
  const path = join(folder, 'bad.gz')
  await writeFile(path, file)
  const error = await restoreInto(empty, path).then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(BackupRefusal)
  expect(await tablesLeftIn(empty)).toEqual([])
  return (error as Error).message
}

const changed = (from: string | RegExp, to: string) => {
  const next = text.replace(from, to)
  expect(next).not.toBe(text)
  return zip(next)
}

test('a file cut off anywhere is refused', async () => {
  const random = randomFrom(seedOf('cut off'))
  const lengths = [0, 1, 10, 11, whole.length - 8, whole.length - 1]
  while (lengths.length < scale(20, 200)) lengths.push(random.whole(12, whole.length - 2))
  for (const length of lengths) {
    await writeFile(join(folder, 'cut.gz'), whole.subarray(0, length))
    await expect(readBackup(join(folder, 'cut.gz')), `cut to ${length}`).rejects.toThrow(BackupRefusal)
  }
  expect(await refused(whole.subarray(0, whole.length >> 1))).toMatch(/damaged: unexpected end of file/)
})

test('a file with a flipped bit is refused, unless the bit means nothing', async () => {
  const random = randomFrom(seedOf('flipped bits'))
  let caught = 0
  const rounds = scale(60, 2_000)
  for (let round = 0; round < rounds; round++) {
    const flipped = Buffer.from(whole)
    const at = random.whole(0, whole.length - 1)
    flipped[at] = (flipped[at] as number) ^ (1 << random.whole(0, 7))
    await writeFile(join(folder, 'flipped.gz'), flipped)
    const outcome = await readBackup(join(folder, 'flipped.gz')).catch((error: unknown) => error)
    if (outcome instanceof BackupRefusal) caught += 1
    else {
      expect(outcome, `byte ${at}`).not.toBeInstanceOf(Error)
      expect(textIn(flipped)).toBe(text)
    }
  }
  expect(caught / rounds).toBeGreaterThan(0.95)
  const flipped = Buffer.from(whole)
  flipped[whole.length >> 1] = (flipped[whole.length >> 1] as number) ^ 1
  expect(await refused(flipped)).toMatch(/damaged/)
})

test('text that was changed and packed again is refused', async () => {
  expect(await refused(changed('reza.karimi', 'reza.kazimi'))).toMatch(/not what its manifest says/)
  expect(await refused(changed(/"name":"users","rows":\d+/, '"name":"users","rows":1'))).toMatch(/manifest/)
  expect(await refused(changed(/-- manifest .*\n$/, ''))).toMatch(/its end is missing/)
  expect(await refused(zip(`${text}more\n`))).toMatch(/something follows its end/)
  expect(await refused(changed('COPY users (id, ', 'COPY users; DROP TABLE x (id, '))).toMatch(/damaged/)
  expect(await refused(zip('hello\n'))).toMatch(/is not a backup of Kelid/)
  expect(await refused(randomBytes(500))).toMatch(/damaged|not a backup/)
})

test('a newer format and a newer schema are refused before anything is touched', async () => {
  expect(await refused(zip(text.replaceAll('"format":2', '"format":3')))).toMatch(/has format 3/)
  const newer = text.replaceAll(/"schema":\d+/g, `"schema":${(await newestVersion()) + 1}`)
  expect(await refused(repack(newer, (rows) => rows))).toMatch(
    /of a newer release .* install that release first/,
  )
})

test('a file packed again with fitting checksums, but without the key, is refused', async () => {
  const somebodys = createSeal(randomBytes(32))
  const cut = (rows: string, table: string) => (table === 'audit' ? rows.replace(/\n.*\n$/, '\n') : rows)
  const richer = (rows: string, table: string) =>
    table === 'users' ? rows.replace(/\t1\t(\d+)\t/, '\t1\t9$1\t') : rows
  for (const change of [cut, richer, (rows: string) => rows])
    expect(await refused(repack(text, change, somebodys))).toMatch(
      /seal of the backup is wrong, so somebody has/,
    )
  expect(await refused(changed(/,"mac":"[0-9a-f]{64}"/, ''))).toMatch(/seal of the backup is wrong/)
  expect(await refused(changed(/"made":"2/g, '"made":"1'))).toMatch(/manifest|seal/)
  const redated = zip(text.replaceAll('"made":"2', '"made":"1'))
  expect(await refused(redated)).toMatch(/seal of the backup is wrong/)
})

test('rows that the database rejects are refused with its reason', async () => {
  const twice = repack(text, (rows, table) => (table === 'settings' ? rows + rows : rows))
  expect(await refused(twice)).toMatch(/table settings was refused by the database: duplicate key/)
  const unpaid = repack(text, (rows, table) =>
    table === 'ledger_entries' ? rows.replace(/\n.*\n$/, '\n') : rows,
  )
  expect(await refused(unpaid)).toMatch(/ledger_entries was refused .* does not balance/)
  const without = zip(
    text.replace(/^COPY audit [\s\S]*?\n\\\.\n/m, '').replace(/,\{"name":"audit",[^}]*\}/, ''),
  )
  expect(await refused(repack(textIn(without), (rows) => rows))).toMatch(/the table audit is missing/)
  const sessions = text.replace(/^COPY settings .*$/m, 'COPY sessions (id) FROM stdin;')
  expect(await refused(repack(sessions.replace('"settings"', '"sessions"'), (rows) => rows))).toMatch(
    /the table sessions is not as its version/,
  )
})

test('a database that is not empty is not changed', async () => {
  const path = join(folder, 'whole.gz')
  const foreign = await createDatabase({ isEmpty: true })
  await query(foreign.connection, 'CREATE TABLE theirs AS SELECT 7 AS n')
  await expect(restoreInto(foreign, path)).rejects.toThrow(/not empty \(the table theirs has rows\)/)
  expect(await tablesLeftIn(foreign)).toEqual(['theirs'])
  await foreign.close()

  const migrated = await createDatabase()
  await restoreInto(migrated, path)
  const content = await contentOf(migrated)
  await expect(restoreInto(migrated, path)).rejects.toThrow(/not empty .*a restore overwrites nothing/)
  expect(await contentOf(migrated)).toEqual(content)
  await migrated.close()
})

test('a backup of an older release is loaded and migrated', async () => {
  const migrations = join(folder, 'migrations')
  await mkdir(migrations)
  await cp(join(packageRoot, 'migrations'), migrations, { recursive: true })
  await writeFile(
    join(migrations, '9001-later.sql'),
    `ALTER TABLE accounts ADD COLUMN note text NOT NULL DEFAULT 'none';
     CREATE TABLE notes (id int PRIMARY KEY);
     ALTER TABLE users DROP COLUMN phone;`,
  )
  const database = await createDatabase({ isEmpty: true })
  await restoreInto(database, join(folder, 'whole.gz'), migrations)
  const { rows } = await query(
    database.connection,
    `SELECT (SELECT count(*) FROM accounts WHERE note = 'none')::int AS accounts,
            (SELECT max(version) FROM schema_migrations) AS version`,
  )
  expect(rows[0].accounts).toBeGreaterThan(0)
  expect(rows[0].version).toBe(9001)
  await database.close()
})
