import {
  getAudit,
  getCountries,
  getDashboard,
  getSettings,
  getUser,
  getUsers,
  newAccount,
  setSettings,
  setUserLevel,
  setUserPhone,
} from '@kelid/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { directAccount, openProduct, type Product } from '../../../test/product.ts'
import { regularJobs } from '../../jobs/regular.ts'
import { runRegular } from '../../jobs/worker.ts'
import { findBrokenAudit } from '../audit/audit.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
  await product.server()
})
afterAll(() => product.close())

test('users page by page in every order, found by any part of their e-mail', async () => {
  for (const points of [5, 50, 500]) await product.person({ points })
  for (const sort of ['userEmail', '-userCredit', '-userDebt', '-userCreatedDate'] as const) {
    const whole = (await product.admin.call(getUsers, { sort, limit: 200 })).answer()
    const seen: string[] = []
    let cursor: string | null | undefined
    do {
      const page = (
        await product.admin.call(getUsers, { sort, limit: 2, ...(cursor && { cursor }) })
      ).answer()
      seen.push(...page.items.map((user) => user.userEmail))
      cursor = page.nextCursor
    } while (cursor)
    expect(seen).toEqual(whole.items.map((user) => user.userEmail))
    expect(whole.total).toBe(seen.length)
  }
  const part = product.admin.email.slice(3, 9).toUpperCase()
  const found = (await product.admin.call(getUsers, { search: part })).answer()
  expect(found.items.map((user) => user.userEmail)).toEqual([product.admin.email])
  expect((await product.admin.call(getUsers, { search: '%' })).answer().items).toEqual([])
})

test('the last administrator stays one; a new level ends the sessions of its user', async () => {
  const other = await product.person({ level: 1 })
  const level = (userEmail: string, value: number) => product.admin.call(setUserLevel, { userEmail, value })
  await level('first@kelid.lan', 1)
  expect((await level(product.admin.email, 5)).errorType).toBe('LAST_ADMIN')
  expect((await level(other.email, 6)).answer().userLevel).toBe(6)
  expect((await other.call(getUser, {})).status).toBe(401)
  const again = await product.again(other)
  expect((await again.call(getUsers, {})).status).toBe(200)
  expect((await level(other.email, 5)).status).toBe(200)
})

test('a phone belongs to one user', async () => {
  const [a, b] = [await product.person(), await product.person()]
  const phone = (userEmail: string, userPhone: string | null) =>
    product.admin.call(setUserPhone, { userEmail, userPhone })
  expect((await phone(a.email, '09121234567')).answer().userPhone).toBe('09121234567')
  expect((await phone(b.email, '09121234567')).errorType).toBe('PHONE_TAKEN')
  expect((await phone(a.email, null)).answer().userPhone).toBeNull()
})

test('settings change one by one, are checked, and price what comes after', async () => {
  expect((await product.admin.call(getSettings, {})).answer()).toEqual({
    defaultCreditRate: 100,
    pointsPerDay: { trojan: 10, 'hysteria2-direct': 10 },
    tunnelCreditPerDay: 1,
    renewal: 'extend',
    maxDevices: 2,
  })
  const changed = (await product.admin.call(setSettings, { maxDevices: 3 })).answer()
  expect(changed).toMatchObject({ maxDevices: 3, renewal: 'extend' })
  await product.admin.call(setSettings, { pointsPerDay: { trojan: 10, 'hysteria2-direct': 0 } })
  const user = await product.person()
  expect((await user.call(newAccount, directAccount)).status).toBe(200)
  const bad = await product.admin.call(setSettings, { defaultCreditRate: 0 })
  expect(bad.errorType).toBe('INCOMPLETE_INFORMATION')
  await product.admin.call(setSettings, { pointsPerDay: { trojan: 10, 'hysteria2-direct': 10 } })
})

test('the dashboard counts what is there, and knows when the jobs last succeeded', async () => {
  for (const job of regularJobs) await runRegular(product.ctx, job)
  const board = (await product.admin.call(getDashboard, {})).answer()
  const { db } = product.ctx
  const users = await db.selectFrom('users').select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()
  expect(board.users).toBe(users.n)
  expect(board.accounts).toEqual({ active: 1, disabled: 0, expired: 0, abused: 0 })
  expect(board.servers.ready).toBe(1)
  expect(board).toMatchObject({ serverPlaces: 100, serverAccounts: 1, tunnelPlaces: 0, ledgerIsSound: true })
  expect(board.lastExpiryDate).toBe(product.clock.now().toISOString())
})

test('the audit log names who did what to whom, and a changed row breaks its chain', async () => {
  const other = await product.person()
  await product.admin.call(setUserLevel, { userEmail: other.email, value: 2 })
  const entries = (await product.admin.call(getAudit, { userEmail: other.email })).answer().items
  expect(entries).toMatchObject([{ auditActor: product.admin.email, auditDetail: { from: 1, to: 2 } }])
  const page = (await product.admin.call(getAudit, { limit: 2 })).answer()
  expect(page.nextCursor).not.toBeNull()
  expect(await findBrokenAudit(product.ctx.db)).toBeNull()
  await expect(sql`UPDATE audit SET actor = 'x'`.execute(product.ctx.db)).rejects.toThrow('append-only')
  await sql`ALTER TABLE audit DISABLE TRIGGER audit_stays`.execute(product.ctx.db)
  await sql`UPDATE audit SET actor = 'x' WHERE id = 2`.execute(product.ctx.db)
  expect(await findBrokenAudit(product.ctx.db)).toBe(2)
})

test('all countries in both languages, each with a flag that is there', async () => {
  for (const [lng, name] of [
    ['en', 'Iran'],
    ['fa', 'ایران'],
  ] as const) {
    const { items } = (await product.admin.call(getCountries, { lng })).answer()
    expect(items.length).toBeGreaterThan(240)
    expect(items.find((country) => country.countryId === 364)?.countryName).toBe(name)
    const names = items.map((country) => country.countryName)
    expect(names).toEqual([...names].sort(new Intl.Collator(lng).compare))
  }
  const { items } = (await product.admin.call(getCountries, {})).answer()
  const flags = await Promise.all(
    items.map(async ({ countryFlag }) => [countryFlag, (await product.raw(countryFlag)).status]),
  )
  expect(flags.filter(([, status]) => status !== 200)).toEqual([])
})
