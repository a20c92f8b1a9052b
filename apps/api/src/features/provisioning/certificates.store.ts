import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export type CertificateUse = 'node' | 'server'

export const findCertificate = (db: Db, hostUuid: string, use: CertificateUse) =>
  db
    .selectFrom('host_certificates')
    .select(['name', 'sealed', 'until'])
    .where('host_uuid', '=', hostUuid)
    .where('use', '=', use)
    .executeTakeFirst()

export async function keepCertificate(
  db: Db,
  row: { host_uuid: string; use: CertificateUse; name: string; sealed: Buffer; until: Date },
): Promise<void> {
  const { name, sealed, until } = row
  await db
    .insertInto('host_certificates')
    .values(row)
    .onConflict((conflict) => conflict.columns(['host_uuid', 'use']).doUpdateSet({ name, sealed, until }))
    .execute()
}

/** Servers in service with a certificate of our CA that expires before `end`, unless a failed run has to wait. */
export async function serversToRenew(db: Db, end: Date, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('servers')
    .innerJoin('host_certificates', 'host_certificates.host_uuid', 'servers.uuid')
    .select('servers.uuid')
    .where('use', '=', 'server')
    .where('until', '<=', end)
    .where((or) => or.or([or('state', '=', 'ready'), or('accounts', '>', 0)]))
    .where((or) => or.or([or('upkeep_retry_at', 'is', null), or('upkeep_retry_at', '<=', now)]))
    .where(sql<boolean>`(serving ->> 'isOwnAuthority')::boolean`)
    .orderBy('servers.uuid')
    .execute()
  return rows.map(({ uuid }) => uuid)
}
