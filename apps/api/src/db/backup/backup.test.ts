import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getUserAccounts, newAccount, signIn } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, query, type TestDatabase } from '../../../test/database.ts'
import { directAccount, openProduct } from '../../../test/product.ts'
import { findBrokenAudit } from '../../features/audit/audit.ts'
import { findImbalances } from '../../features/credit/credit.ts'
import {
  backUp,
  contentOf,
  makeBusiness,
  namesIn,
  restoreInto,
  temporaryFolder,
  textIn,
} from './backup.fixture.ts'
import { keptTables } from './tables.ts'

let business: TestDatabase
let folder: string

beforeAll(async () => {
  folder = await temporaryFolder()
  business = await makeBusiness(folder)
})
afterAll(() => business.drop())

test('a backup restored into an empty database is the same, table by table', async () => {
  const path = join(folder, 'whole.gz')
  const made = await backUp(business, path)
  const restored = await createDatabase({ isEmpty: true })
  const manifest = await restoreInto(restored, path, {
    confirm: async (db) => {
      expect(await findImbalances(db)).toEqual([])
      expect(await findBrokenAudit(db)).toBeNull()
    },
  })
  const content = await contentOf(restored)
  expect(content).toEqual(await contentOf(business))
  for (const table of keptTables) expect(content[table]?.length, table).toBeGreaterThan(0)
  expect(made).toMatchObject(manifest)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await restored.drop()
})

test('what nodes had reported as applied does not come back: it was of another database', async () => {
  const source = await makeBusiness(await temporaryFolder(), 0.01)
  await query(source.connection, 'UPDATE accounts SET applied_revision = revision')
  await query(source.connection, 'UPDATE servers SET reporting_since = now()')
  const path = join(folder, 'reported.gz')
  await backUp(source, path)
  const restored = await createDatabase({ isEmpty: true })
  await restoreInto(restored, path)
  const { rows } = await query(
    restored.connection,
    `SELECT (SELECT count(applied_revision) FROM accounts)::int AS accounts,
            (SELECT count(reporting_since) FROM servers)::int AS servers`,
  )
  expect(rows[0]).toEqual({ accounts: 0, servers: 0 })
  await source.drop()
  await restored.drop()
})

test('after a restore people sign in again, links are the same, and new rows get new numbers', async () => {
  const path = join(folder, 'people.gz')
  const [login] = JSON.parse(await readFile(join(folder, 'demo-logins.json'), 'utf8')).slice(1)
  const visit = async (database: TestDatabase) => {
    const product = await openProduct({ database, clock: { now: () => new Date(), advance() {}, set() {} } })
    const { token } = (await product.call(signIn, { email: login.email, password: login.password })).answer()
    const { items } = (await product.call(getUserAccounts, {}, { token })).answer()
    return { product, token, items }
  }
  const before = await visit(business)
  await before.product.close()
  await backUp(business, path)

  const restored = await createDatabase({ isEmpty: true })
  await restoreInto(restored, path)
  const { rows } = await query(
    restored.connection,
    'SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM events) + (SELECT count(*) FROM attempts) AS left_out',
  )
  expect(rows[0].left_out).toBe('0')

  const after = await visit(restored)
  expect(after.items.length).toBeGreaterThan(0)
  expect(after.items).toEqual(before.items)
  const bought = await after.product.call(newAccount, directAccount, { token: after.token })
  expect(bought.status).toBe(200)
  const old = await after.product.call(getUserAccounts, {}, { token: before.token })
  expect(old.errorType).toBe('UNAUTHENTICATED')
  expect(await findImbalances(after.product.ctx.db)).toEqual([])
  await after.product.close()
  await restored.drop()
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

test('nothing is written over, and a backup that cannot be written leaves nothing', async () => {
  const own = await temporaryFolder()
  const path = join(own, 'mine.gz')
  await writeFile(path, 'precious')
  await expect(backUp(business, path)).rejects.toThrow(/already exists/)
  await expect(backUp(business, join(own, 'missing/folder.gz'))).rejects.toThrow(/cannot be written/)
  const empty = await createDatabase({ isEmpty: true })
  await expect(backUp(empty, join(own, 'none.gz'))).rejects.toThrow(/nothing to back up/)
  await empty.drop()
  expect(await namesIn(own)).toEqual(['mine.gz'])
  expect(await readFile(path, 'utf8')).toBe('precious')
})
