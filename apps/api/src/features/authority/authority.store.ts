import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { AuthorityRow, NodeCertificateRow } from '../../db/schema.ts'

/** The first start writes it; every later one finds it there. */
export async function insertAuthority(db: Db, row: Insertable<AuthorityRow>): Promise<void> {
  await db
    .insertInto('authority')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const hasAuthority = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('authority').select('id').executeTakeFirst()) !== undefined

export const readAuthority = (db: Db) =>
  db.selectFrom('authority').select(['certificate', 'key']).executeTakeFirstOrThrow()

export async function insertCertificate(db: Db, row: Insertable<NodeCertificateRow>): Promise<void> {
  await db.insertInto('node_certificates').values(row).execute()
}

export async function revokeCertificates(db: Db, host_uuid: string, revoked_at: Date): Promise<void> {
  await db
    .updateTable('node_certificates')
    .set({ revoked_at })
    .where('host_uuid', '=', host_uuid)
    .where('revoked_at', 'is', null)
    .execute()
}

export const isRevoked = async (db: Db, serial: string): Promise<boolean> =>
  (await db
    .selectFrom('node_certificates')
    .select('serial')
    .where('serial', '=', serial)
    .where('revoked_at', 'is not', null)
    .executeTakeFirst()) !== undefined

export async function forgetEnded(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('node_certificates').where('until', '<', before).execute()
}
