import { randomUUID } from 'node:crypto'
import { day, type HostKind, limits } from '@kelid/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type Order, readPage } from '../../db/page.ts'
import type { CompensationRow } from '../../db/schema.ts'

export type Compensation = Selectable<CompensationRow>

export interface AffectedPeriod {
  kind: HostKind
  uuid: string
  from: Date
  until: Date
}

/** Adds to what remains; an expired account gets the days from now on. A day is 86,400 seconds in every time zone. */
const newExpiry = (days: number, now: Date) =>
  sql<Date>`greatest(expires_at, ${now}::timestamptz) + make_interval(secs => ${(days * day) / 1_000})`

/** Accounts that would exceed the maximum duration stay unchanged. */
const mayBeLengthened = (days: number, now: Date) =>
  sql<boolean>`${newExpiry(days, now)} <= ${new Date(now.getTime() + limits.expiryDaysMax * day)}`

const isAffected = ({ kind, uuid, from, until }: AffectedPeriod, days: number, now: Date) =>
  sql`${sql.ref(`${kind}_uuid`)} = ${uuid}::uuid AND expires_at > ${from} AND created_at <= ${until}
    AND ${mayBeLengthened(days, now)}`

export async function countAffected(db: Db, period: AffectedPeriod, days: number, now: Date) {
  const { rows } = await sql<{ accounts: number; earliest: Date | null; latest: Date | null }>`
    SELECT count(*) AS accounts, min(${newExpiry(days, now)}) AS earliest, max(${newExpiry(days, now)}) AS latest
    FROM accounts WHERE ${isAffected(period, days, now)}`.execute(db)
  return rows[0] as (typeof rows)[number]
}

export async function insertCompensation(
  tx: Db,
  row: Omit<Insertable<CompensationRow>, 'uuid' | 'finished_at'>,
): Promise<Compensation> {
  return tx
    .insertInto('compensations')
    .values({ ...row, uuid: randomUUID(), finished_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function noteAffected(
  tx: Db,
  uuid: string,
  period: AffectedPeriod,
  days: number,
  now: Date,
): Promise<number> {
  const result = await sql`INSERT INTO compensation_accounts (compensation_uuid, account_uuid)
    SELECT ${uuid}::uuid, uuid FROM accounts WHERE ${isAffected(period, days, now)}`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

export const lastOf = (db: Db, subjectUuid: string): Promise<Compensation | undefined> =>
  db
    .selectFrom('compensations')
    .selectAll()
    .where('subject_uuid', '=', subjectUuid)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(1)
    .executeTakeFirst()

export const lockUnfinished = (tx: Db, uuid: string): Promise<Compensation | undefined> =>
  tx
    .selectFrom('compensations')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('finished_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const waitingAccounts = async (tx: Db, uuid: string, limit: number): Promise<string[]> =>
  (
    await tx
      .selectFrom('compensation_accounts')
      .select('account_uuid')
      .where('compensation_uuid', '=', uuid)
      .where('done_at', 'is', null)
      .orderBy('account_uuid')
      .limit(limit)
      .execute()
  ).map((row) => row.account_uuid)

/** Locks in the common order, so that no concurrent renewal is lost. Skips deleted accounts and those at the maximum. */
export async function lengthen(tx: Db, uuids: readonly string[], days: number, now: Date) {
  const those = sql<boolean>`uuid = ANY (${[...uuids]}::uuid[])`
  await tx.selectFrom('accounts').select('uuid').where(those).orderBy('uuid').forUpdate().execute()
  return tx
    .updateTable('accounts')
    .set({ expires_at: newExpiry(days, now), expiry_noted_at: null })
    .where(those)
    .where(mayBeLengthened(days, now))
    .returning(['uuid', 'user_id'])
    .execute()
}

export async function noteDone(
  tx: Db,
  uuid: string,
  { accounts, skipped, isLast }: { accounts: readonly string[]; skipped: number; isLast: boolean },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('compensation_accounts')
    .set({ done_at: now })
    .where('compensation_uuid', '=', uuid)
    .where(sql<boolean>`account_uuid = ANY (${[...accounts]}::uuid[])`)
    .execute()
  await tx
    .updateTable('compensations')
    .set((row) => ({
      done: row('done', '+', accounts.length),
      skipped: row('skipped', '+', skipped),
      finished_at: isLast ? now : null,
    }))
    .where('uuid', '=', uuid)
    .execute()
}

export const listUnfinished = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('compensations').select('uuid').where('finished_at', 'is', null).execute()).map(
    (row) => row.uuid,
  )

const newestFirst: Order<Compensation> = {
  column: sql`created_at`,
  kind: 'date',
  isDown: true,
  sortValue: (row) => row.created_at,
  identity: { column: sql`uuid`, kind: 'uuid', of: (row) => row.uuid },
}

export async function listCompensations(
  db: Db,
  subjects: readonly string[],
  page: { limit: number; cursor?: string | undefined },
) {
  const all = db.selectFrom('compensations')
  const list = subjects.length > 0 ? all.where('subject_uuid', 'in', subjects) : all
  const [rows, { total }] = await Promise.all([
    readPage(list.selectAll(), newestFirst, page),
    list.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  return { ...rows, total }
}
