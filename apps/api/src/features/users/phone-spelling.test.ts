import { onePhone } from '@kelid/contract'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../test/database.ts'
import { migrateWithin } from '../../db/migrate.ts'

test('the migration gives each phone one spelling and one user', async () => {
  const database = await createDatabase({ isEmpty: true })
  const client = new pg.Client(database.connection)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await database.close()
  })
  await migrateWithin(client, 17)
  const phones = [
    '+989121234567',
    '09121234567',
    '00989351112233',
    '989351112233',
    '004915112345678',
    '+12025550123',
    '02188776655',
    '123456789012345',
    null,
  ]
  for (const [place, phone] of phones.entries())
    await client.query(
      `INSERT INTO users (id, email, phone, password_hash, level, created_at) VALUES ($1, $2, $3, '', 1, now())`,
      [place + 1, `n${place}@example.com`, phone],
    )
  await migrateWithin(client)
  const { rows } = await client.query<{ phone: string | null }>('SELECT phone FROM users ORDER BY id')
  const kept = [1, 2, 4, 5, 6, 7].map((place) => onePhone(phones[place] ?? ''))
  expect(rows.map(({ phone }) => phone)).toEqual([null, kept[0], kept[1], null, ...kept.slice(2), null])
})
