import type { Db } from '../../db/database.ts'

export async function keepCode(db: Db, mobile: string, code_hash: Buffer, expires_at: Date): Promise<void> {
  const row = { code_hash, wrong_tries: 0, expires_at }
  await db
    .insertInto('sms_codes')
    .values({ mobile, ...row })
    .onConflict((conflict) => conflict.column('mobile').doUpdateSet(row))
    .execute()
}

/** A right code is used up by the same statement that compares it. */
export async function useCode(
  tx: Db,
  mobile: string,
  code_hash: Buffer,
  now: Date,
  maxTries: number,
): Promise<boolean> {
  const used = await tx
    .deleteFrom('sms_codes')
    .where('mobile', '=', mobile)
    .where('code_hash', '=', code_hash)
    .where('expires_at', '>', now)
    .where('wrong_tries', '<', maxTries)
    .executeTakeFirst()
  return used.numDeletedRows > 0n
}

export async function countWrongTry(db: Db, mobile: string): Promise<void> {
  await db
    .updateTable('sms_codes')
    .set((row) => ({ wrong_tries: row('wrong_tries', '+', 1) }))
    .where('mobile', '=', mobile)
    .execute()
}
