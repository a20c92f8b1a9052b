import type { Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { SmsCodeRow } from '../../db/schema.ts'

export type SmsCode = Selectable<SmsCodeRow>

export async function keepCode(db: Db, code: SmsCode): Promise<void> {
  await db
    .insertInto('sms_codes')
    .values(code)
    .onConflict((conflict) => conflict.columns(['mobile', 'address']).doUpdateSet(code))
    .execute()
}

export const findCode = (db: Db, uuid: string, now: Date): Promise<SmsCode | undefined> =>
  db
    .selectFrom('sms_codes')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('expires_at', '>', now)
    .executeTakeFirst()

export const findCodeFor = (
  db: Db,
  mobile: string,
  address: string,
  now: Date,
): Promise<SmsCode | undefined> =>
  db
    .selectFrom('sms_codes')
    .selectAll()
    .where('mobile', '=', mobile)
    .where('expires_at', '>', now)
    .orderBy((row) => row('address', '=', address), 'desc')
    .orderBy('asked_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Counts the attempt first; false at the limit. */
export async function takeTry(db: Db, uuid: string, maxTries: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sms_codes')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('uuid', '=', uuid)
    .where('tries', '<', maxTries)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deleting the code is atomic, so it can be used once. */
export async function useCode(tx: Db, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('sms_codes').where('uuid', '=', uuid).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteOldCodes(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sms_codes').where('expires_at', '<=', now).execute()
}
