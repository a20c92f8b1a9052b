import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { Db } from '../../src/db/database.ts'
import { findImbalances } from '../../src/features/credit/credit.ts'
import { createDatabase, query } from '../database.ts'
import { openForAllTests } from '../hooks.ts'
import { openProduct, type Person, type Product } from '../product.ts'
import { scale } from '../scale.ts'
import { until } from '../until.ts'
import { lockWaiters } from './remote.ts'

vi.setConfig({ testTimeout: scale(180_000, 1_800_000) })

export const parallel = 50
export const places = 17

const raceFor = (rounds: number) => (title: string, work: (round: number) => Promise<void>) =>
  test(title, async () => {
    for (let round = 1; round <= rounds; round += 1) await work(round)
  })

/** A test that repeats its work, because a race does not show every time. */
export const race = raceFor(scale(2, 20))
export const raceOften = raceFor(scale(10, 100))

/** The same thing many times at once. */
export const together = <T>(work: (index: number) => Promise<T>, count = parallel): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

export interface Outcome {
  readonly status: number
  readonly errorType: string | undefined
}

/** How many replies there were of each kind; a failure of the server is never one of the kinds. */
export function tally(replies: readonly Outcome[]): Record<string, number> {
  expect(replies.filter(({ status }) => status >= 500).map(({ errorType }) => errorType)).toEqual([])
  const counts: Record<string, number> = {}
  for (const { errorType = 'done' } of replies) counts[errorType] = (counts[errorType] ?? 0) + 1
  return counts
}

/** Balances are the sums of their entries, and places taken are accounts that exist. */
export async function expectSoundBooks(db: Db): Promise<void> {
  expect(await findImbalances(db)).toEqual([])
  const { rows } = await sql`
    SELECT uuid, accounts AS taken, (SELECT count(*) FROM placements WHERE server_uuid = s.uuid) AS there FROM servers s
    UNION ALL
    SELECT uuid, accounts, (SELECT count(*) FROM placements WHERE tunnel_uuid = t.uuid) FROM tunnels t`.execute(
    db,
  )
  for (const host of rows as { taken: number; there: number }[]) expect(host.taken).toBe(host.there)
}

/** A product whose close() fails when the database had to break a deadlock: each costs its victims a second. */
export async function openRaced(env: Record<string, string> = {}): Promise<Product> {
  const database = await createDatabase()
  const product = await openProduct({ database, env })
  return {
    ...product,
    async close() {
      await expectSoundBooks(product.ctx.db)
      await product.close()
      const { rows } = await query(
        database.connection,
        'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
      )
      await database.close()
      expect(rows[0].deadlocks).toBe(0)
    },
  }
}

export const racedForAllTests = () => openForAllTests(openRaced)

/** The cost of each account of a user, by the ledger. */
export async function chargesOf({ sql }: Product, { id }: Person, movement: 'create' | 'renew') {
  const rows = await sql(
    `SELECT e.amount, t.account_uuid FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
     WHERE t.movement = $1 AND e.user_id = $2`,
    movement,
    id,
  )
  return rows.map(({ amount, account_uuid }): [string, number] => [account_uuid, -amount])
}

/** Nobody gets at the person until `asked` all wait for their turn, one behind the other. */
export async function inTurn<T>(
  product: Product,
  { id }: Person,
  asked: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const replies: Promise<T>[] = []
  await product.ctx.atomically(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
    for (const ask of asked) {
      replies.push(ask())
      await until(async () => (await lockWaiters(product)) === replies.length, 'a call to wait for its turn')
    }
  })
  return Promise.all(replies)
}
