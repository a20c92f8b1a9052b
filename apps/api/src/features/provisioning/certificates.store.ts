import type { Settings } from '@kelid/contract'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { HostCertificateRow } from '../../db/schema.ts'

export type CertificateUse = HostCertificateRow['use']
export type CertificateRow = Insertable<HostCertificateRow>

export const findCertificate = (db: Db, hostUuid: string, use: CertificateUse) =>
  db
    .selectFrom('host_certificates')
    .select(['name', 'sealed', 'until', 'renew_at'])
    .where('host_uuid', '=', hostUuid)
    .where('use', '=', use)
    .executeTakeFirst()

export async function keepCertificate(db: Db, row: CertificateRow): Promise<void> {
  const { name, sealed, until, renew_at = null } = row
  await db
    .insertInto('host_certificates')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['host_uuid', 'use']).doUpdateSet({ name, sealed, until, renew_at }),
    )
    .execute()
}

export async function postponeNext(tx: Db, hostUuid: string, until: Date): Promise<void> {
  await tx
    .updateTable('host_certificates')
    .set({ renew_at: until })
    .where('host_uuid', '=', hostUuid)
    .where('use', '=', 'acme')
    .execute()
}

const isOwnAuthority = sql<boolean>`(serving ->> 'isOwnAuthority')::boolean`

/**
 * Servers in service with a certificate of our CA that expires before `end`, or for whose next one it is time, unless a
 * failed run or issuance has to wait.
 */
export async function serversToRenew(
  db: Db,
  { end, now, source }: { end: Date; now: Date; source: Settings['certificates']['source'] },
): Promise<string[]> {
  const rows = await db
    .selectFrom('servers')
    .innerJoin('host_certificates', 'host_certificates.host_uuid', 'servers.uuid')
    .select('servers.uuid')
    .distinct()
    .leftJoin('failed_issuances', 'failed_issuances.host_uuid', 'servers.uuid')
    .where((or) =>
      or.or([
        or.and([or('use', '=', 'server'), or('until', '<=', end), isOwnAuthority]),
        or.and([
          or('use', '=', sql<CertificateUse>`${source}`),
          or('renew_at', '<=', now),
          or.or([or('retry_at', 'is', null), or('retry_at', '<=', now)]),
        ]),
      ]),
    )
    .where((or) => or.or([or('state', '=', 'ready'), or('accounts', '>', 0)]))
    .where((or) => or.or([or('upkeep_retry_at', 'is', null), or('upkeep_retry_at', '<=', now)]))
    .orderBy('servers.uuid')
    .execute()
  return rows.map(({ uuid }) => uuid)
}
