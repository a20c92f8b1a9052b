import {
  adjustUserCredit,
  getStatement,
  getStatementFile,
  getUserCredit,
  getUserDebt,
  getUserStatement,
  getUserStatementFile,
  newAccount,
  setUserDebtLimit,
  setUserRate,
} from '@kelid/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adjustmentOf, type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'
import type { Db } from '../../context.ts'
import { findImbalances } from './credit.ts'
import { post } from './ledger.store.ts'

const product = productForAllTests()
beforeAll(() => product.server())
afterAll(async () => {
  expect(await findImbalances(product.ctx.db)).toEqual([])
})

const credit = (user: Person) => user.ask(getUserCredit, {})
const debt = async (user: Person) => (await user.ask(getUserDebt, {})).userDebt

test('a shortfall becomes debt at the own rate, rounded up to the cent, as far as the limit reaches', async () => {
  const user = await product.person({ points: 100 })
  const { email: userEmail } = user
  await product.admin.call(setUserRate, { userEmail, userCustomCreditRate: 300 })
  await product.admin.call(setUserDebtLimit, { userEmail, value: 0.66 })
  expect(await user.refusal(newAccount, directAccount)).toBe('INSUFFICIENT_CREDIT')
  await product.admin.call(setUserDebtLimit, { userEmail, value: 0.67 })
  expect((await user.call(newAccount, directAccount)).status).toBe(200)
  expect((await credit(user)).userCredit).toBe(0)
  expect(await debt(user)).toBe(0.67)
  const entries = (await user.ask(getStatement, {})).items
  expect(
    entries.map((entry) => [entry.entryMovement, entry.entryUnit, entry.entryAmount, entry.entryBalance]),
  ).toEqual([
    ['create', 'points', -300, 0],
    ['debt', 'dollars', 0.67, 0.67],
    ['debt', 'points', 200, 300],
    ['adjustment', 'points', 100, 100],
  ])
})

test('a statement pages newest first, and as CSV cannot carry a formula', async () => {
  const user = await product.person({ points: 1_000 })
  const { email: userEmail } = user
  await product.admin.call(adjustUserCredit, { userEmail, amount: 5, reason: '=HYPERLINK("x"), "quoted"' })
  await user.call(newAccount, directAccount)
  const first = await user.ask(getStatement, { limit: 2 })
  expect(first.items.map((entry) => entry.entryAmount)).toEqual([-300, 5])
  const rest = await user.ask(getStatement, { limit: 2, cursor: first.nextCursor ?? '' })
  expect([rest.items.map((entry) => entry.entryAmount), rest.nextCursor]).toEqual([[1_000], null])
  const whole = await user.ask(getStatement, {})
  expect([first.total, rest.total, whole.total]).toEqual([3, 3, 3])
  const everybody = await product.admin.ask(getUserStatement, { limit: 1 })
  const named = await product.admin.ask(getUserStatement, { limit: 1, userEmail })
  expect([named.total, (everybody.total ?? 0) > 3]).toEqual([3, true])
  expect(first.items[1]).not.toHaveProperty('entryByEmail')

  const own = await user.ask(getStatementFile, {})
  expect(own.csv.split('\r\n')[2]).toContain(`"'=HYPERLINK(""x""), ""quoted"""`)
  expect(own.csv).not.toContain(product.admin.email)
  const seen = await product.admin.ask(getUserStatementFile, { userEmail })
  expect(seen.csv).toContain(product.admin.email)
  const all = (await product.admin.ask(getUserStatement, { limit: 200 })).items
  expect(new Set(all.map((entry) => entry.userEmail)).size).toBeGreaterThan(1)
  expect(await product.admin.refusal(getUserStatement, { userEmail: 'no@where.com' })).toBe(
    'RESOURCE_NOT_FOUND',
  )
})

test('the database itself keeps the ledger append-only and balanced', async () => {
  const { db } = product.ctx
  const change = (statement: ReturnType<typeof sql>) => statement.execute(db)
  await expect(change(sql`UPDATE ledger_entries SET amount = 1`)).rejects.toThrow('append-only')
  await expect(change(sql`DELETE FROM ledger_entries`)).rejects.toThrow('append-only')
  await expect(change(sql`TRUNCATE ledger_entries`)).rejects.toThrow('append-only')
  await expect(change(sql`DELETE FROM ledger_transactions`)).rejects.toThrow('append-only')
  await expect(
    change(sql`INSERT INTO ledger_entries (transaction_id, user_id, unit, amount, balance)
               SELECT transaction_id, user_id, unit, 1, 1 FROM ledger_entries WHERE user_id IS NOT NULL LIMIT 1`),
  ).rejects.toThrow('does not balance')
})

test('a purchase does not read the ledger, however long it is', async () => {
  const user = await product.person({ points: 100 })
  const rowsRead = async (tx: Db) => {
    const { rows } = await sql<{ read: number }>`SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS read
      FROM pg_stat_xact_user_tables WHERE relname = 'ledger_entries'`.execute(tx)
    return rows[0]?.read ?? 0
  }
  const read = await product.ctx.atomically(async (tx) => {
    const before = await rowsRead(tx)
    for (let turn = 0; turn < 20; turn++) await post(tx, adjustmentOf(user.id, new Date(), 1))
    return (await rowsRead(tx)) - before
  })
  expect(read).toBe(0)
})

test('a balance changed behind the ledger is found', async () => {
  const user = await product.person({ points: 10 })
  const set = (points: number) => product.sql('UPDATE users SET points = $1 WHERE id = $2', points, user.id)
  await set(11)
  expect(await findImbalances(product.ctx.db)).toEqual([`${user.email}: points is 11, its entries sum to 10`])
  await set(10)
})

test("a statement has the purchase in fields, and reads none from an administrator's reason", async () => {
  const user = await product.person({ points: 1_000 })
  await user.call(newAccount, { ...directAccount, accountDuration: 5 })
  const reason = '30 days of trojan'
  await product.admin.call(adjustUserCredit, { userEmail: user.email, amount: 10, reason })
  const entries = (await user.ask(getStatement, { limit: 2 })).items
  expect(
    entries.map(({ entryReason, entryDays, entryVPNType }) => [entryReason, entryDays, entryVPNType]),
  ).toEqual([
    [reason, null, null],
    ['5 days of hysteria2-direct', 5, 'hysteria2-direct'],
  ])
})
