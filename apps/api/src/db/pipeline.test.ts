import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { atomically, type Database, type Db, openDatabase } from './database.ts'
import { andCommit } from './pipeline.ts'
import { prepared } from './prepared.ts'

let server: TestDatabase
let database: Database
/** What was said on the one connection, in its order. */
const said: string[] = []

beforeAll(async () => {
  server = await createDatabase({ isEmpty: true })
  database = openDatabase({ ...server.connection, max: 1 }, { warn: () => {} })
  database.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (text: string, values: unknown[]) => Promise<unknown>
    client.query = (async (text: string, values: unknown[]) => {
      const [word] = text.split(' ')
      said.push(`${word}?`)
      return await query(text, values).finally(() => said.push(`${word}.`))
    }) as typeof client.query
  })
  await sql`CREATE TABLE numbers (n int CHECK (n < 100))`.execute(database.db)
})
beforeEach(() => said.splice(0))
afterAll(async () => {
  await database.close()
  await server.drop()
})

const adding = prepared((_, { n }: { n: number }) => sql`INSERT INTO numbers (n) VALUES (${n})`)
const insert = (db: Db, n: number) => adding(db, { n })
const numbers = async () =>
  (await sql<{ n: number }>`SELECT n FROM numbers ORDER BY n`.execute(database.db)).rows.map(({ n }) => n)

test('the beginning of a transaction is not waited for', async () => {
  await atomically(database.db, async (tx) => {
    await insert(tx, 1)
    await insert(tx, 2)
  })
  expect(said).toEqual(['begin?', 'INSERT?', 'begin.', 'INSERT.', 'INSERT?', 'INSERT.', 'commit?', 'commit.'])
  expect(await numbers()).toEqual([1, 2])
})

test('nothing of a transaction that fails is kept, however soon it fails', async () => {
  await expect(atomically(database.db, (tx) => insert(tx, 100))).rejects.toMatchObject({ code: '23514' })
  const abandoned = atomically(database.db, async (tx) => {
    insert(tx, 3).catch(() => {})
    throw new Error('changed my mind')
  })
  await expect(abandoned).rejects.toThrow('changed my mind')
  expect(await numbers()).toEqual([1, 2])
})

test('a transaction that asks for a snapshot of its own has it', async () => {
  const level = await database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => sql<{ transaction_isolation: string }>`SHOW transaction_isolation`.execute(tx))
  expect(level.rows).toEqual([{ transaction_isolation: 'repeatable read' }])
})

test('a transaction that commits with its last statement has ended by the answer to it, and the connection is free', async () => {
  const seen = await atomically(database.db, async (tx) => {
    await insert(tx, 3)
    await andCommit(tx, (tx) => insert(tx, 4))
    await expect(insert(tx, 5)).rejects.toThrow('the transaction has ended')
    return said.slice()
  })
  expect(seen).toEqual(['begin?', 'INSERT?', 'begin.', 'INSERT.', 'INSERT?', 'commit?', 'INSERT.', 'commit.'])
  expect(said).toEqual(seen)
  expect(await numbers()).toEqual([1, 2, 3, 4])
})

test('when its last statement fails nothing of it is kept, and the next one is a transaction of its own', async () => {
  const failing = atomically(database.db, async (tx) => {
    await insert(tx, 6)
    await andCommit(tx, (tx) => insert(tx, 100))
  })
  await expect(failing).rejects.toMatchObject({ code: '23514' })
  const abandoned = atomically(database.db, async (tx) => {
    await insert(tx, 7)
    throw new Error('changed my mind')
  })
  await expect(abandoned).rejects.toThrow('changed my mind')
  expect(await numbers()).toEqual([1, 2, 3, 4])
})
