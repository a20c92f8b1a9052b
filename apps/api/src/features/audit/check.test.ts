import { checkAudit, getAudit, getAuditSummary, getDashboard } from '@kelid/contract'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'

const product = productForAllTests()
beforeAll(() => product.server())

const summary = () => product.admin.ask(getAuditSummary, {})
const board = () => product.admin.ask(getDashboard, {})

const check = () => product.job('audit')

test('the summary says when and how far the log was checked, and claims nothing before', async () => {
  expect(await summary()).toMatchObject({
    auditIsSound: null,
    auditCheckedDate: null,
    auditCheckedLine: null,
  })
  expect((await board()).auditIsSound).toBeNull()
  await check()
  const { auditLines, ...rest } = await summary()
  expect(rest).toMatchObject({
    auditIsSound: true,
    auditCheckedDate: product.clock.now().toISOString(),
    auditCheckedLine: auditLines,
    auditBrokenLine: null,
    auditEndIsSound: true,
  })
  expect(rest.auditActions).toEqual(expect.arrayContaining(['addserver', 'createadmin', 'setserverready']))
  expect(new Set(rest.auditActions).size).toBe(rest.auditActions.length)
  expect((await board()).auditIsSound).toBe(true)
})

test('repeated requests for a check leave one job, and each is in the log', async () => {
  const replies = await Promise.all([1, 2, 3].map(() => product.admin.call(checkAudit, {})))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  const { rows } = await sql<{ waiting: number }>`
    SELECT count(*) AS waiting FROM pgboss.job WHERE name = 'audit' AND state = 'created'`.execute(
    product.ctx.db,
  )
  expect(rows).toEqual([{ waiting: 1 }])
  const lines = await product.admin.ask(getAudit, { action: 'checkaudit' })
  expect(lines.items).toHaveLength(3)
  expect(lines.items[0]).toMatchObject({ auditActor: product.admin.email, auditSubject: 'audit' })
})

// Last: it breaks the log.
test('a changed line is found by the next check, lines missing at the end at once', async () => {
  const { db } = product.ctx
  await check()
  await expect(sql`UPDATE audit SET actor = 'x'`.execute(db)).rejects.toThrow('append-only')
  await sql`ALTER TABLE audit DISABLE TRIGGER audit_stays`.execute(db)
  await sql`UPDATE audit SET actor = 'x' WHERE id = 2`.execute(db)
  await check()
  expect(await summary()).toMatchObject({ auditIsSound: false, auditBrokenLine: 2, auditCheckedLine: 1 })
  expect((await board()).auditIsSound).toBe(false)
  expect(product.logs.join('')).toContain('the audit log is broken')
  await sql`DELETE FROM audit WHERE id = (SELECT max(id) FROM audit)`.execute(db)
  expect(await summary()).toMatchObject({ auditIsSound: false, auditEndIsSound: false })
})
