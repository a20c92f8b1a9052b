import pg from 'pg'
import { expect, test } from 'vitest'
import { createDatabase } from '../../../test/database.ts'
import { migrateWithin } from '../../db/migrate.ts'

/** Cents in the order in which they were moved, a day after the other. */
const histories: Record<string, number[]> = {
  'never@example.com': [],
  'since-the-first@example.com': [100, 50, -120],
  'paid@example.com': [100, -100],
  'anew@example.com': [100, -100, 40, 10],
}

test('debts that were there before have their age from the ledger', async () => {
  const database = await createDatabase({ isEmpty: true })
  const client = new pg.Client(database.connection)
  await client.connect()
  const run = async (text: string, values: unknown[]) => (await client.query(text, values)).rows[0]
  await migrateWithin(client, 7)
  for (const [email, amounts] of Object.entries(histories)) {
    const debt = amounts.reduce((sum, amount) => sum + amount, 0)
    const { id } = await run(
      `INSERT INTO users (email, password_hash, level, debt_cents, created_at)
       VALUES ($1, 'none', 1, $2, '2026-01-01Z') RETURNING id`,
      [email, debt],
    )
    for (const [index, amount] of amounts.entries()) {
      const { id: transaction } = await run(
        `INSERT INTO ledger_transactions (at, movement, user_id, actor, reason)
         VALUES ('2026-01-01Z'::timestamptz + $2 * interval '1 day', 'debt', $1, 'user', 'test') RETURNING id`,
        [id, index + 1],
      )
      const balance = amounts.slice(0, index + 1).reduce((sum, one) => sum + one, 0)
      await run(
        `INSERT INTO ledger_entries (transaction_id, user_id, unit, amount, balance)
         VALUES ($1, $2, 'cents', $3, $4), ($1, NULL, 'cents', -$3::bigint, NULL)`,
        [transaction, id, amount, balance],
      )
    }
  }
  await migrateWithin(client)
  const { rows } = await client.query('SELECT email, debt_since FROM users')
  await client.end()
  await database.close()
  expect(
    Object.fromEntries(rows.map(({ email, debt_since }) => [email, debt_since?.toISOString() ?? null])),
  ).toEqual({
    'never@example.com': null,
    'since-the-first@example.com': '2026-01-02T00:00:00.000Z',
    'paid@example.com': null,
    'anew@example.com': '2026-01-04T00:00:00.000Z',
  })
})
