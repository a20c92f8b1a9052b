import type { Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { DataLimitRow } from '../../db/schema.ts'

export type DataLimit = Selectable<DataLimitRow>

/** Call it while the account is locked. */
export const findDataLimit = (tx: Db, accountUUID: string): Promise<DataLimit | undefined> =>
  tx.selectFrom('data_limits').selectAll().where('account_uuid', '=', accountUUID).executeTakeFirst()

export async function findDataLimits(
  db: Db,
  accountUUIDs: readonly string[],
): Promise<ReadonlyMap<string, DataLimit>> {
  if (accountUUIDs.length === 0) return new Map()
  const rows = await db
    .selectFrom('data_limits')
    .selectAll()
    .where('account_uuid', 'in', accountUUIDs)
    .execute()
  return new Map(rows.map((row) => [row.account_uuid, row]))
}

/** As an account's record has them. */
export const dataColumns = (data: Pick<DataLimit, 'bytes' | 'monthly_bytes' | 'period_began_at'> | null) => ({
  data_bytes: data?.bytes ?? null,
  data_monthly_bytes: data?.monthly_bytes ?? null,
  data_used: data ? 0 : null,
  data_period_began_at: data?.period_began_at ?? null,
})

/** Accounts whose period has ended, and that are not at their end themselves; locked in one order. */
export const lockDueForReset = (
  tx: Db,
  now: Date,
  periodBefore: Date,
  limit: number,
): Promise<{ uuid: string; user_id: number }[]> =>
  tx
    .selectFrom('accounts as a')
    .innerJoin('data_limits as d', 'd.account_uuid', 'a.uuid')
    .select(['a.uuid', 'a.user_id'])
    .where('d.monthly_bytes', 'is not', null)
    .where('d.period_began_at', '<=', periodBefore)
    .where('a.expires_at', '>', now)
    .orderBy('a.uuid')
    .limit(limit)
    .forNoKeyUpdate('a')
    .skipLocked()
    .execute()
