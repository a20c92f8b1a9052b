import type { Db } from '../../db/database.ts'

export const isOwnAuthority = async (db: Db, fingerprint: string): Promise<boolean> =>
  (await db
    .selectFrom('authority')
    .select('id')
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()) !== undefined

/** What is older than `since` is forgotten; once there are as many as `max`, only those that are known are noted again. */
export async function noteKnock(
  tx: Db,
  { authority, uuid }: { authority: string; uuid: string },
  at: Date,
  since: Date,
  max: number,
): Promise<void> {
  await tx.deleteFrom('knocks').where('at', '<=', since).execute()
  const { count } = await tx
    .selectFrom('knocks')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const row = { authority, host_uuid: uuid, at }
  if (Number(count) < max)
    await tx
      .insertInto('knocks')
      .values(row)
      .onConflict((conflict) => conflict.columns(['authority', 'host_uuid']).doUpdateSet({ at }))
      .execute()
  else
    await tx
      .updateTable('knocks')
      .set({ at })
      .where('authority', '=', authority)
      .where('host_uuid', '=', uuid)
      .execute()
}

export interface StrangeAuthority {
  fingerprint: string
  hosts: number
  lastAt: Date
}

/** The last ones first. */
export const listStrangeAuthorities = (db: Db, since: Date, limit: number): Promise<StrangeAuthority[]> =>
  db
    .selectFrom('knocks')
    .select((row) => [
      'authority as fingerprint',
      row.fn.countAll<number>().as('hosts'),
      row.fn.max('at').as('lastAt'),
    ])
    .where('at', '>', since)
    .groupBy('authority')
    .orderBy('lastAt', 'desc')
    .orderBy('authority')
    .limit(limit)
    .execute()
