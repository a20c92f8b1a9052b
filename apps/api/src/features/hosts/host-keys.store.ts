import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { HostKeyRow } from '../../db/schema.ts'

export type HostKeyRecord = Selectable<HostKeyRow>

export const findHostKey = (db: Db, hostUuid: string): Promise<HostKeyRecord | undefined> =>
  db.selectFrom('host_keys').selectAll().where('host_uuid', '=', hostUuid).executeTakeFirst()

/**
 * For all services at the address, or for the host alone if it has left. Replaces the key of another address; a key
 * pinned for this address stays.
 */
export async function keepHostKey(db: Db, row: Omit<HostKeyRecord, 'trusts_product'>): Promise<void> {
  const { address, key, fingerprint, first_seen_at } = row
  await sql`INSERT INTO host_keys (host_uuid, address, key, fingerprint, first_seen_at)
    SELECT uuid, ${address}, ${key}, ${fingerprint}, ${first_seen_at}::timestamptz FROM (
      SELECT uuid FROM servers WHERE ipv4 = ${address} UNION SELECT uuid FROM tunnels WHERE ipv4 = ${address}
      UNION SELECT ${row.host_uuid}::uuid) there
    ${replacesKeyElsewhere}`.execute(db)
}

const replacesKeyElsewhere = sql`ON CONFLICT (host_uuid) DO UPDATE
  SET address = excluded.address, key = excluded.key, fingerprint = excluded.fingerprint,
    first_seen_at = excluded.first_seen_at, trusts_product = excluded.trusts_product
  WHERE host_keys.address <> excluded.address`

/** Of a service that was on the machine before. It may not have met the machine yet, and so still have another key. */
export async function copyHostKey(tx: Db, address: string, from: string, to: string): Promise<void> {
  await sql`INSERT INTO host_keys (host_uuid, address, key, fingerprint, first_seen_at, trusts_product)
    SELECT ${to}::uuid, address, key, fingerprint, first_seen_at, trusts_product FROM host_keys
      WHERE host_uuid = ${from} AND address = ${address}
    ${replacesKeyElsewhere}`.execute(tx)
}

/** The product's key is there for all services of the machine. */
export async function noteTrust(db: Db, hostUuid: string, address: string): Promise<void> {
  await sql`UPDATE host_keys SET trusts_product = true FROM host_keys own
    WHERE own.host_uuid = ${hostUuid} AND own.address = ${address}
      AND (host_keys.address, host_keys.key) = (own.address, own.key)`.execute(db)
}

export async function forgetTraces(tx: Db, hostUuid: string): Promise<void> {
  await tx.deleteFrom('host_keys').where('host_uuid', '=', hostUuid).execute()
  await forgetCertificates(tx, hostUuid)
}

export async function forgetCertificates(tx: Db, hostUuid: string): Promise<void> {
  await tx.deleteFrom('host_certificates').where('host_uuid', '=', hostUuid).execute()
  await tx.deleteFrom('failed_issuances').where('host_uuid', '=', hostUuid).execute()
}

/** Also for the other services of its machine. */
export async function forgetMachineKey(tx: Db, { address, key }: HostKeyRecord): Promise<void> {
  await tx.deleteFrom('host_keys').where('address', '=', address).where('key', '=', key).execute()
}
