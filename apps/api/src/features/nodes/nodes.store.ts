import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/database.ts'

/** A restored database gets a new epoch. */
export async function createEpoch(db: Db): Promise<void> {
  await db
    .insertInto('epoch')
    .values({ id: 1, uuid: randomUUID() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const readEpoch = async (db: Db): Promise<string> =>
  (await db.selectFrom('epoch').select('uuid').executeTakeFirstOrThrow()).uuid

export const showsOwnAuthority = async (db: Db, uuid: string): Promise<boolean> =>
  (await db
    .selectFrom('node_reports')
    .innerJoin('authority', 'authority.fingerprint', 'node_reports.certificate_authority')
    .select('host_uuid')
    .where('host_uuid', '=', uuid)
    .executeTakeFirst()) !== undefined
