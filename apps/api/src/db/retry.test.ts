import pg from 'pg'
import { expect, test } from 'vitest'
import { databaseForAllTests } from '../../test/database.ts'
import { retry } from './database.ts'

const database = databaseForAllTests()

test('two that lock each other out both get through', async () => {
  const pool = new pg.Pool({ connectionString: database.url })
  await pool.query('CREATE TABLE counter (id int PRIMARY KEY, taken int NOT NULL DEFAULT 0)')
  await pool.query('INSERT INTO counter (id) VALUES (1), (2)')
  let tries = 0
  let begun = 0
  let goOn = () => {}
  const bothBegun = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const take = (first: number, second: number) =>
    retry(async () => {
      tries += 1
      const client = await pool.connect()
      const mark = (id: number) => client.query('UPDATE counter SET taken = taken + 1 WHERE id = $1', [id])
      try {
        await client.query('BEGIN')
        await mark(first)
        begun += 1
        if (begun === 2) goOn()
        await bothBegun
        await mark(second)
        await client.query('COMMIT')
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      } finally {
        client.release()
      }
    })
  await Promise.all([take(1, 2), take(2, 1)])
  expect((await pool.query('SELECT taken FROM counter')).rows).toEqual([{ taken: 2 }, { taken: 2 }])
  expect(tries).toBe(3)
  await pool.end()
})

test('other errors are not retried', async () => {
  let tries = 0
  const refused = retry(async () => {
    tries += 1
    throw Object.assign(new Error('no such table'), { code: '42P01' })
  })
  await expect(refused).rejects.toThrow('no such table')
  expect(tries).toBe(1)
})
