import type { Db } from '../../db/database.ts'

export const findAcmeAccount = (db: Db, directory: string, email: string) =>
  db
    .selectFrom('acme_accounts')
    .select('sealed')
    .where('directory', '=', directory)
    .where('email', '=', email)
    .executeTakeFirst()

export async function keepAcmeAccount(
  db: Db,
  row: { directory: string; email: string; sealed: Buffer },
): Promise<void> {
  const { sealed } = row
  await db
    .insertInto('acme_accounts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['directory', 'email']).doUpdateSet({ sealed }))
    .execute()
}

export async function forgetAcmeAccount(db: Db, directory: string, email: string): Promise<void> {
  await db.deleteFrom('acme_accounts').where('directory', '=', directory).where('email', '=', email).execute()
}

export const findFailedIssuance = (db: Db, hostUuid: string) =>
  db.selectFrom('failed_issuances').selectAll().where('host_uuid', '=', hostUuid).executeTakeFirst()

export async function noteFailedIssuance(
  db: Db,
  row: { host_uuid: string; failures: number; retry_at: Date },
): Promise<void> {
  const { failures, retry_at } = row
  await db
    .insertInto('failed_issuances')
    .values(row)
    .onConflict((conflict) => conflict.column('host_uuid').doUpdateSet({ failures, retry_at }))
    .execute()
}

export async function forgetFailedIssuance(db: Db, hostUuid: string): Promise<void> {
  await db.deleteFrom('failed_issuances').where('host_uuid', '=', hostUuid).execute()
}
