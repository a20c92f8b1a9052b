import type { Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { HostKeyRow } from '../../db/schema.ts'

export type HostKeyRecord = Selectable<HostKeyRow>

export const findHostKey = (db: Db, hostUuid: string): Promise<HostKeyRecord | undefined> =>
  db.selectFrom('host_keys').selectAll().where('host_uuid', '=', hostUuid).executeTakeFirst()

/** Replaces the key of another address; a key pinned for this address stays. */
export async function keepHostKey(db: Db, row: Omit<HostKeyRecord, 'trusts_product'>): Promise<void> {
  const { host_uuid: _, ...rest } = row
  await db
    .insertInto('host_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('host_uuid')
        .doUpdateSet({ ...rest, trusts_product: false })
        .whereRef('host_keys.address', '!=', 'excluded.address'),
    )
    .execute()
}

export async function noteTrust(db: Db, hostUuid: string, address: string): Promise<void> {
  await db
    .updateTable('host_keys')
    .set({ trusts_product: true })
    .where('host_uuid', '=', hostUuid)
    .where('address', '=', address)
    .execute()
}

export async function forgetTraces(tx: Db, hostUuid: string): Promise<void> {
  await forgetHostKey(tx, hostUuid)
  await forgetCertificates(tx, hostUuid)
}

export async function forgetCertificates(tx: Db, hostUuid: string): Promise<void> {
  await tx.deleteFrom('host_certificates').where('host_uuid', '=', hostUuid).execute()
  await tx.deleteFrom('failed_issuances').where('host_uuid', '=', hostUuid).execute()
}

export const forgetHostKey = (tx: Db, hostUuid: string): Promise<HostKeyRecord | undefined> =>
  tx.deleteFrom('host_keys').where('host_uuid', '=', hostUuid).returningAll().executeTakeFirst()
