import { getAccount, getStatement, getStatementFile, newAccount } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAt } from '../calls.ts'
import { testClock } from '../clock.ts'
import { createDatabase, query } from '../database.ts'
import { openForAllTests } from '../hooks.ts'
import { type ProductProcess, startProcess } from '../process.ts'
import { type Person, productForAllTests } from '../product.ts'
import { directAccount } from '../sample-hosts.ts'

const zones = ['UTC', 'Asia/Tehran', 'America/St_Johns'] as const

const database = openForAllTests(async () => {
  const created = await createDatabase()
  const name = created.url.split('?')[0]?.split('/').at(-1)
  await query(created.connection, `ALTER DATABASE ${name} SET timezone = 'Asia/Kathmandu'`)
  return created
})
const product = productForAllTests(() => ({ database, clock: testClock(new Date()) }))
let user: Person
let processes: ProductProcess[]
beforeAll(async () => {
  await product.server()
  user = await product.person({ points: 10_000 })
  processes = await Promise.all(
    zones.map((TZ) => startProcess({ TZ, DATABASE_URL: database.url, KELID_ROLE: 'api' })),
  )
})
afterAll(async () => {
  for (const process of processes) await process.kill('SIGTERM')
})

test('processes in three zones, and a database in a fourth, sell and show the same instants', async () => {
  for (const { url } of processes) {
    const at = callAt(url, user.token)
    const account = (await at(newAccount, { ...directAccount, accountDuration: 30 })).answer()
    const created = Date.parse(account.accountCreatedDate)
    expect(Math.abs(created - Date.now())).toBeLessThan(60_000)
    expect(Date.parse(account.accountExpireDate) - created).toBe(30 * 86_400_000)
    const { accountUUID } = account
    for (const other of processes) {
      const there = await callAt(other.url, user.token)(getAccount, { accountUUID })
      expect(there.answer()).toEqual(account)
    }
  }
  const statements = await Promise.all(
    processes.map(async ({ url }) => {
      const at = callAt(url, user.token)
      return [(await at(getStatement, {})).answer(), (await at(getStatementFile, {})).answer()]
    }),
  )
  for (const one of statements) expect(one).toEqual(statements[0])
})
