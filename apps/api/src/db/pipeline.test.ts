import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { atomically, type Database, type Db, openDatabase } from './database.ts'
import { andCommit } from './pipeline.ts'
import { prepared } from './prepared.ts'

let server: TestDatabase
let database: Database
beforeAll(async () => {
  server = await createDatabase({ isEmpty: true })
  database = openDatabase({ ...server.connection, max: 1 }, { warn: () => {} })
  await sql`CREATE TABLE numbers (n int CHECK (n < 100))`.execute(database.db)
})
afterAll(async () => {
  await database.close()
  await server.drop()
})

const insert = prepared((_, { n }: { n: number }) => sql`INSERT INTO numbers (n) VALUES (${n})`)
const numbers = async (db: Db) =>
  (await sql<{ n: number }>`SELECT n FROM numbers ORDER BY n`.execute(db)).rows.map(({ n }) => n)

test('a transaction that commits with its last statement keeps all of it, and leaves the connection free', async () => {
  await atomically(database.db, async (tx) => {
    await insert(tx, { n: 1 })
    await andCommit(tx, insert(tx, { n: 2 }))
  })
  expect(await numbers(database.db)).toEqual([1, 2])
})

test('when its last statement fails nothing of it is kept, and the next one has a transaction of its own', async () => {
  const failing = atomically(database.db, async (tx) => {
    await insert(tx, { n: 3 })
    await andCommit(tx, insert(tx, { n: 100 }))
  })
  await expect(failing).rejects.toMatchObject({ code: '23514' })
  const abandoned = atomically(database.db, async (tx) => {
    await insert(tx, { n: 4 })
    throw new Error('changed my mind')
  })
  await expect(abandoned).rejects.toThrow('changed my mind')
  expect(await numbers(database.db)).toEqual([1, 2])
})
