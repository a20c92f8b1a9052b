import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDatabase, query } from '../../../test/database.ts'
import {
  backUp,
  businessForAllTests,
  namesIn,
  restoreInto,
  temporaryFolder,
  textIn,
} from './backup.fixture.ts'

const { folder, business } = businessForAllTests(0.01)

test('a restore forgets what nodes had reported as applied', async () => {
  await query(business.connection, 'UPDATE accounts SET applied_revision = revision')
  await query(business.connection, 'UPDATE servers SET reporting_since = now()')
  const path = join(folder, 'reported.gz')
  await backUp(business, path)
  const restored = await createDatabase({ isEmpty: true })
  await restoreInto(restored, path)
  const { rows } = await query(
    restored.connection,
    `SELECT (SELECT count(applied_revision) FROM accounts)::int AS accounts,
            (SELECT count(reporting_since) FROM servers)::int AS servers`,
  )
  expect(rows[0]).toEqual({ accounts: 0, servers: 0 })
  await restored.close()
})

test('the file is text inside gzip that psql would load, and ends with its manifest', async () => {
  const path = join(folder, 'text.gz')
  const { tables } = await backUp(business, path, new Date('2026-05-06T07:08:09.000Z'))
  const lines = textIn(await readFile(path))
    .trimEnd()
    .split('\n')
  expect(lines[0]).toMatch(/^-- Kelid backup \{"format":2,"schema":\d+,"made":"2026-05-06T07:08:09.000Z",/)
  expect(lines.at(-1)).toMatch(
    /^-- manifest \{.*"tables":\[\{"name":"installation","rows":1,"sha256":"[0-9a-f]{64}"\}/,
  )
  expect(lines.filter((line) => line === '\\.')).toHaveLength(tables.length)
  expect(lines.filter((line) => /^COPY [a-z_]+ \(.*\) FROM stdin;$/.test(line))).toHaveLength(tables.length)
  expect(lines.join('\n')).not.toMatch(/COPY (sessions|sms_codes|events|attempts|schema_migrations)/)
})

test('a backup overwrites no file, and a backup that cannot be written leaves none', async () => {
  const own = await temporaryFolder()
  const path = join(own, 'mine.gz')
  await writeFile(path, 'precious')
  await expect(backUp(business, path)).rejects.toThrow(/already exists/)
  await expect(backUp(business, join(own, 'missing/folder.gz'))).rejects.toThrow(/cannot be written/)
  const empty = await createDatabase({ isEmpty: true })
  await expect(backUp(empty, join(own, 'none.gz'))).rejects.toThrow(/nothing to back up/)
  await empty.close()
  expect(await namesIn(own)).toEqual(['mine.gz'])
  expect(await readFile(path, 'utf8')).toBe('precious')
})
