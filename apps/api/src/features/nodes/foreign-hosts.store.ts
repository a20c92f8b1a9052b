import type { Db } from '../../db/database.ts'
import type { ForeignHostRow } from '../../db/schema.ts'

export type ForeignHost = Omit<ForeignHostRow, 'at'>

export async function noteForeignHost(db: Db, row: ForeignHostRow, keptSince: Date): Promise<void> {
  await db.deleteFrom('knocks').where('at', '<=', keptSince).execute()
  await db
    .insertInto('knocks')
    .values(row)
    .onConflict((conflict) => conflict.columns(['authority', 'host_uuid']).doUpdateSet({ at: row.at }))
    .execute()
}

export interface StrangeAuthority {
  fingerprint: string
  hosts: number
  lastAt: Date
}

/** Latest first. Our own CA is excluded: a host with an expired certificate is not foreign. */
export const listStrangeAuthorities = (db: Db, since: Date, limit: number): Promise<StrangeAuthority[]> =>
  db
    .selectFrom('knocks')
    .select((row) => [
      'authority as fingerprint',
      row.fn.countAll<number>().as('hosts'),
      row.fn.max('at').as('lastAt'),
    ])
    .where('at', '>', since)
    .where('authority', 'not in', (query) => query.selectFrom('authority').select('fingerprint'))
    .groupBy('authority')
    .orderBy('lastAt', 'desc')
    .orderBy('authority')
    .limit(limit)
    .execute()
