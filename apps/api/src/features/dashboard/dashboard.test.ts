import { getDashboard, newAccount } from '@kelid/contract'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { directAccount, useProduct } from '../../../test/product.ts'
import { regularJobs } from '../../jobs/regular.ts'
import { runRegular } from '../../jobs/worker.ts'

const product = useProduct()
beforeAll(async () => {
  await product.server()
})

test('the dashboard counts what is there, and knows when the jobs last succeeded', async () => {
  const buyer = await product.person({ points: 300 })
  await buyer.ask(newAccount, directAccount)
  for (const job of regularJobs) await runRegular(product.ctx, job)
  const board = await product.admin.ask(getDashboard, {})
  const { db } = product.ctx
  const users = await db.selectFrom('users').select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()
  expect(board.users).toBe(users.n)
  expect(board.accounts).toEqual({ active: 1, disabled: 0, expired: 0, abused: 0 })
  expect(board.servers.ready).toBe(1)
  expect(board).toMatchObject({
    serverCapacity: 100,
    serverAccounts: 1,
    tunnelCapacity: 0,
    ledgerIsSound: true,
  })
  expect(board.lastExpiryDate).toBe(product.clock.now().toISOString())
})
