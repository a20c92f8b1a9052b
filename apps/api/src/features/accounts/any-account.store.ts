import type { InferResult } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type Change, whole } from './accounts.store.ts'

/** An account with whose it is and where. */
export const ofAnyone = (db: Db) =>
  whole(db)
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['u.email', 'a.closed_by_suspension', 'a.server_uuid', 's.name as server_name'])
    .select(['a.tunnel_uuid', 't.name as tunnel_name'])

export type AnyAccountRecord = InferResult<ReturnType<typeof ofAnyone>>[number]

export const findAnyAccount = (db: Db, uuid: string): Promise<AnyAccountRecord | undefined> =>
  ofAnyone(db).where('a.uuid', '=', uuid).executeTakeFirst()

export const lockAnyAccount = (tx: Db, uuid: string): Promise<AnyAccountRecord | undefined> =>
  ofAnyone(tx).where('a.uuid', '=', uuid).forUpdate('a').executeTakeFirst()

export async function updateAnyAccount(
  tx: Db,
  uuid: string,
  change: Change & { server_uuid?: string; tunnel_uuid?: string | null },
): Promise<AnyAccountRecord> {
  await tx.updateTable('accounts').set(change).where('uuid', '=', uuid).execute()
  return ofAnyone(tx).where('a.uuid', '=', uuid).executeTakeFirstOrThrow()
}

export async function deleteAnyAccount(tx: Db, uuid: string): Promise<void> {
  await tx.deleteFrom('accounts').where('uuid', '=', uuid).execute()
}

/** Those of a user that are open, with a mark. Returns how many there were. */
export async function closeAccounts(tx: Db, userId: number): Promise<number> {
  const done = await tx
    .updateTable('accounts')
    .set({ enabled: false, closed_by_suspension: true })
    .where('user_id', '=', userId)
    .where('enabled', '=', true)
    .executeTakeFirst()
  return Number(done.numUpdatedRows)
}

/** Those of a user that have the mark; one that was found to be abused since stays closed. Returns how many there were. */
export async function reopenAccounts(tx: Db, userId: number): Promise<number> {
  const done = await tx
    .updateTable('accounts')
    .set((row) => ({ enabled: row.not(row.ref('abused')), closed_by_suspension: false }))
    .where('user_id', '=', userId)
    .where('closed_by_suspension', '=', true)
    .executeTakeFirst()
  return Number(done.numUpdatedRows)
}
