import { sql } from 'kysely'
import { type Db, only } from '../../db/database.ts'
import type { UserRecord } from '../../db/schema.ts'

const columns = [
  'id',
  'email',
  'points',
  'tunnel_credit',
  'debt_cents',
  'debt_limit_cents',
  'credit_rate',
  'suspended_at',
] as const satisfies readonly (keyof UserRecord)[]
const columnList = sql.raw(columns.join(', '))

type LockedPayer = Pick<UserRecord, (typeof columns)[number]> & { settings: unknown }
export type Payer = Omit<LockedPayer, 'settings' | 'suspended_at'>

/** First in the lock order user -> account -> server. Also reads the stored settings that determine prices. */
export const lockPayer = (tx: Db, userId: number): Promise<LockedPayer> =>
  only(
    tx,
    sql<LockedPayer>`SELECT ${columnList}, (SELECT value FROM settings WHERE id = 1) AS settings
      FROM users WHERE id = ${userId} FOR NO KEY UPDATE`,
  )
