import {
  clearAbuse,
  deleteAnyAccount,
  getAudit,
  getAuditFile,
  giftDays,
  limits,
  newAccount,
  setUserDebtLimit,
  setUserLevel,
} from '@kelid/contract'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { everyPage } from '../../../test/calls.ts'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'
import { record } from './audit.ts'

const product = productForAllTests()
let one: Person
let other: Person
let began: Date
beforeAll(async () => {
  one = await product.person()
  other = await product.person({ level: 7 })
  product.clock.advance(60_000)
  began = product.clock.now()
  await product.admin.call(setUserLevel, { userEmail: one.email, value: 2 })
  product.clock.advance(1_000)
  await other.call(setUserDebtLimit, { userEmail: one.email, value: 5 })
  product.clock.advance(1_000)
  await other.call(setUserLevel, { userEmail: one.email, value: 3 })
})

const acts = async (filter: object) =>
  (await product.admin.ask(getAudit, filter)).items.map(({ auditAction }) => auditAction)

test('the log is filtered by actor, subject, either of them, action and time, newest first', async () => {
  expect(await acts({ actor: other.email })).toEqual(['setuserlevel', 'setuserdebtlimit'])
  expect(await acts({ subject: one.email })).toEqual(['setuserlevel', 'setuserdebtlimit', 'setuserlevel'])
  expect(await acts({ actor: one.email })).toEqual([])
  expect(await acts({ userEmail: other.email })).toEqual(['setuserlevel', 'setuserdebtlimit'])
  expect(await acts({ subject: one.email, action: 'setuserdebtlimit' })).toEqual(['setuserdebtlimit'])
  expect(await acts({ actor: other.email.toUpperCase(), action: 'setuserlevel' })).toEqual(['setuserlevel'])
  const second = new Date(began.getTime() + 1_000).toISOString()
  expect(await acts({ subject: one.email, from: second })).toEqual(['setuserlevel', 'setuserdebtlimit'])
  expect(await acts({ subject: one.email, until: second })).toEqual(['setuserlevel'])
  expect(await acts({ from: second, until: second })).toEqual([])
  expect(await acts({ until: '1999-12-31' })).toEqual([])
})

test('a filtered log is paged to its end and says how many there are', async () => {
  const lines = await everyPage(async (from) => {
    const page = await product.admin.ask(getAudit, { subject: one.email, limit: 2, ...from })
    expect(page.total).toBe(3)
    return page
  })
  const seen = lines.map(({ auditId }) => auditId)
  expect(seen).toHaveLength(3)
  expect(new Set(seen).size).toBe(3)
  expect(seen).toEqual([...seen].sort((a, b) => Number(b) - Number(a)))
})

test('the file contains the filtered rows, and no cell is a formula', async () => {
  const { clock, seal, db } = product.ctx
  const by = { email: '=cmd|calc', address: '::1' }
  await record({ clock, seal }, db, by, 'restore', '@home/backup, "old"', { made: '=1+1' })
  const { fileName, csv, isComplete } = await product.admin.ask(getAuditFile, { from: began.toISOString() })
  expect(fileName).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/)
  expect(isComplete).toBe(true)
  const lines = csv.replace('\ufeff', '').trimEnd().split('\r\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toBe('auditId,auditDate,auditActor,auditAction,auditSubject,auditDetail,auditAddress')
  expect(lines[1]).toContain(`,'=cmd|calc,restore,"'@home/backup, ""old""","{""made"":""=1+1""}",::1`)
  expect(lines[4]).toContain('"{""from"":1,""to"":2}"')
})

test('a file is written in pieces, and a log that is longer than one file says so', async () => {
  await sql`INSERT INTO audit (id, at, actor, action, subject, detail, address, previous, hash)
    SELECT 1000 + n, now() - n * interval '1 second', 'bulk', CASE WHEN n < 1003 THEN 'few' ELSE 'many' END, 'x', '{}', '', '', ''
    FROM generate_series(0, 50002) n`.execute(product.ctx.db)
  const few = await product.admin.ask(getAuditFile, { actor: 'bulk', action: 'few' })
  const numbers = few.csv
    .split('\r\n')
    .slice(1, -1)
    .map((line) => Number(line.split(',')[0]))
  expect(numbers).toEqual(Array.from({ length: 1_003 }, (_, index) => 1_000 + index))
  expect(few.isComplete).toBe(true)
  const all = await product.admin.ask(getAuditFile, { actor: 'bulk' })
  expect(all.isComplete).toBe(false)
  expect(all.csv.split('\r\n')).toHaveLength(limits.statementCsvRows + 2)
})

test('acts on an account are listed under its owner, also after its deletion, and under its own name', async () => {
  await product.server()
  const buyer = await product.person({ points: 300 })
  const { accountUUID } = await buyer.ask(newAccount, directAccount)
  const reason = 'asked for'
  const { call } = product.admin
  ;(await call(giftDays, { accountUUID, accountDuration: 3, reason })).answer()
  ;(await call(clearAbuse, { accountUUID })).answer()
  ;(await call(deleteAnyAccount, { accountUUID, reason })).answer()
  const done = ['deleteaccount', 'clearabuse', 'giftdays']
  expect((await acts({ userEmail: buyer.email })).slice(0, 3)).toEqual(done)
  expect((await acts({ about: buyer.email.toUpperCase() })).slice(0, 3)).toEqual(done)
  expect(await acts({ about: accountUUID })).toEqual(done)
  expect(await acts({ about: accountUUID, userEmail: one.email })).toEqual([])
  expect(await acts({ about: other.email, action: 'giftdays' })).toEqual([])
  const file = (await call(getAuditFile, { about: buyer.email, action: 'giftdays' })).answer()
  expect(file.csv.trimEnd().split('\r\n')).toHaveLength(2)
})
