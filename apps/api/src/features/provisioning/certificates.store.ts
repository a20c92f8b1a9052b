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
