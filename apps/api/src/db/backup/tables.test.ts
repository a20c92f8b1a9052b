import { expect, test } from 'vitest'
import { createDatabase, query } from '../../../test/database.ts'
import { backUp, temporaryFolder, withPool } from './backup.fixture.ts'
import { keptTables, leftOutTables, tablesIn } from './tables.ts'

test('every table is named as one that travels or one that is left out', async () => {
  const database = await createDatabase()
  const tables = await withPool(database, async (pool) => {
    const client = await pool.connect()
    return tablesIn(client).finally(() => client.release())
  })
  await database.close()
  expect(tables.map(({ name }) => name).sort()).toEqual([...keptTables, ...leftOutTables].sort())
})

test('a backup leaves out sessions and other short-lived rows', () => {
  expect(leftOutTables).toEqual(
    expect.arrayContaining(['sessions', 'sms_codes', 'events', 'attempts', 'job_marks', 'schema_migrations']),
  )
})

test('an unknown table stops the backup', async () => {
  const database = await createDatabase()
  await query(database.connection, 'CREATE TABLE somebody_elses (id int)')
  const folder = await temporaryFolder()
  await expect(backUp(database, `${folder}/a.gz`)).rejects.toThrow(/table somebody_elses is none of Kelid's/)
  await database.close()
})
