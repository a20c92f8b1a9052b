import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { type Database, openDatabase } from './database.ts'
import { nameOf, prepared } from './prepared.ts'

let server: TestDatabase
let database: Database
beforeAll(async () => {
  server = await createDatabase({ isEmpty: true })
  database = openDatabase({ ...server.connection, max: 1 }, { warn: () => {} })
  await sql`CREATE TABLE job_marks (name text PRIMARY KEY, outcome jsonb)`.execute(database.db)
})
afterAll(async () => {
  await database.close()
  await server.drop()
})

const kept = async () => {
  const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(
    database.db,
  )
  return rows.map((row) => row.statement)
}

test('every run has its own values, and the connection keeps the statement', async () => {
  const double = prepared(
    (_, { n }: { n: number }) => sql<{ doubled: number }>`SELECT ${n}::int * 2 AS doubled`,
  )
  for (const n of [1, 2, 3]) expect((await double(database.db, { n })).rows).toEqual([{ doubled: 2 * n }])
  expect((await kept()).filter((text) => text.includes('AS doubled'))).toHaveLength(1)
})

test('the same text twice is one statement, and never shares its name with another', async () => {
  const build = (_: unknown, { n }: { n: number }) => sql<{ n: number }>`SELECT ${n}::int AS n`
  const [one, same] = [prepared(build), prepared(build)]
  const other = prepared((_, { n }: { n: number }) => sql<{ n: number }>`SELECT ${n}::int + 1 AS n`)
  const answers = [one, same, other, one].map((run) => run(database.db, { n: 5 }))
  expect((await Promise.all(answers)).map(({ rows }) => rows[0]?.n)).toEqual([5, 5, 6, 5])
})

test('a statement whose columns a migration may change is not kept', async () => {
  const all = prepared((db) => db.selectFrom('job_marks').selectAll())
  await all(database.db, {})
  await sql`ALTER TABLE job_marks ADD succeeded_at timestamptz`.execute(database.db)
  expect((await all(database.db, {})).rows).toEqual([])
  expect(nameOf('select * from "job_marks"')).toBeUndefined()
})

test('a value that is used twice is sent once; equal literals stay apart, as their types may differ', async () => {
  const both = prepared(
    (_, { n, text }: { n: number; text: string }) => sql<{ sum: number; text: string }>`
      SELECT ${n}::int + ${1}::int + ${n} + ${1}::bigint AS sum, ${text} || ${text}::text AS text`,
  )
  expect((await both(database.db, { n: 20, text: 'a' })).rows).toEqual([{ sum: 42, text: 'aa' }])
  const [statement] = (await kept()).filter((text) => text.includes('AS sum'))
  expect(statement).toContain('$1::int + $2::int + $1 + $3::bigint AS sum, $4 || $4::text')
})
