import type { Db } from '../../db/database.ts'

export const findDnsProvider = (db: Db) =>
  db.selectFrom('dns_provider').selectAll().where('id', '=', 1).executeTakeFirst()

export async function writeDnsProvider(
  tx: Db,
  row: { provider: string; variables: string[]; sealed: Buffer; updated_at: Date },
): Promise<void> {
  await tx
    .insertInto('dns_provider')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** With other credentials the next issuance need not wait. */
export async function forgetFailedIssuances(tx: Db): Promise<void> {
  await tx.deleteFrom('failed_issuances').execute()
}
