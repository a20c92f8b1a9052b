import { type Insertable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { AuthorityRow, NodeCertificateRow } from '../../db/schema.ts'

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

/** Serialises issuing and revoking for a host, so that no certificate escapes a revocation. */
async function holdCertificates(tx: Db, hostUUID: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('certificates ' || ${hostUUID}::text, 0))`.execute(
    tx,
  )
}

export async function lastRenewal(tx: Db, hostUUID: string, since: Date): Promise<Date | undefined> {
  await holdCertificates(tx, hostUUID)
  const last = await tx
    .selectFrom('node_certificates')
    .select('issued_at')
    .where('host_uuid', '=', hostUUID)
    .where('is_renewal', '=', true)
    .where('issued_at', '>', since)
    .orderBy('issued_at', 'desc')
    .executeTakeFirst()
  return last?.issued_at
}

/** Unknown certificates are revoked by their issue date. */
export async function revokeCertificates(
  db: Db,
  host_uuid: string,
  revoked_at: Date,
  before: Date,
): Promise<number> {
  await holdCertificates(db, host_uuid)
  await db
    .insertInto('node_revocations')
    .values({ host_uuid, before })
    .onConflict((conflict) => conflict.column('host_uuid').doUpdateSet({ before }))
    .execute()
  const result = await db
    .updateTable('node_certificates')
    .set({ revoked_at })
    .where('host_uuid', '=', host_uuid)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export interface IssuedCertificate {
  readonly uuid: string
  readonly serial: string
  readonly issuedAt: Date
}

/** A certificate unknown to a restored database is judged by its issue date. */
export async function isRevoked(db: Db, { uuid, serial, issuedAt }: IssuedCertificate): Promise<boolean> {
  const { rows } = await sql<{ revoked: boolean }>`
    SELECT coalesce((SELECT revoked_at IS NOT NULL FROM node_certificates WHERE serial = ${serial}),
      EXISTS (SELECT FROM node_revocations WHERE host_uuid = ${uuid} AND before > ${issuedAt})) AS revoked`.execute(
    db,
  )
  return rows[0]?.revoked ?? true
}

export async function forgetEnded(db: Db, endedBefore: Date, issuedBefore: Date): Promise<void> {
  await db.deleteFrom('node_certificates').where('until', '<', endedBefore).execute()
  await db.deleteFrom('node_revocations').where('before', '<', issuedBefore).execute()
}
