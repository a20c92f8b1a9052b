import type { Db } from '../db/database.ts'

export interface Mark {
  succeededAt: Date
  outcome: Record<string, number>
}

export async function readMarks(db: Db): Promise<Map<string, Mark>> {
  const rows = await db.selectFrom('job_marks').selectAll().execute()
  return new Map(
    rows.map((row) => [row.name, { succeededAt: row.succeeded_at, outcome: row.outcome as Mark['outcome'] }]),
  )
}

export async function writeMark(db: Db, name: string, now: Date, outcome: Mark['outcome']): Promise<void> {
  const row = { succeeded_at: now, outcome: JSON.stringify(outcome) }
  await db
    .insertInto('job_marks')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}
