import { getAudit, setUserLevel } from '@kelid/contract'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { useProduct } from '../../../test/product.ts'
import { findBrokenAudit } from './audit.ts'

const product = useProduct()
beforeAll(async () => {
  await product.server()
})

test('the audit log names who did what to whom, and a changed row breaks its chain', async () => {
  const other = await product.person()
  await product.admin.call(setUserLevel, { userEmail: other.email, value: 2 })
  const entries = (await product.admin.ask(getAudit, { userEmail: other.email })).items
  expect(entries).toMatchObject([{ auditActor: product.admin.email, auditDetail: { from: 1, to: 2 } }])
  const page = await product.admin.ask(getAudit, { limit: 2 })
  expect(page.nextCursor).not.toBeNull()
  const whole = await product.admin.ask(getAudit, { limit: 200 })
  expect([page.total, whole.total]).toEqual([whole.items.length, whole.items.length])
  const onePage = await product.admin.ask(getAudit, { userEmail: product.admin.email, limit: 1 })
  const theirs = whole.items.filter(({ auditActor, auditSubject }) =>
    [auditActor, auditSubject].includes(product.admin.email),
  )
  expect(onePage.total).toBe(theirs.length)
  expect(await findBrokenAudit(product.ctx.db)).toBeNull()
  await expect(sql`UPDATE audit SET actor = 'x'`.execute(product.ctx.db)).rejects.toThrow('append-only')
  await sql`ALTER TABLE audit DISABLE TRIGGER audit_stays`.execute(product.ctx.db)
  await sql`UPDATE audit SET actor = 'x' WHERE id = 2`.execute(product.ctx.db)
  expect(await findBrokenAudit(product.ctx.db)).toBe(2)
})
