import type { Db } from '../../db/database.ts'

export async function keepKeys(tx: Db, uuid: string, sealed: Buffer, changedAt: Date | null): Promise<void> {
  await tx
    .updateTable('servers')
    .set({ reality_keys: sealed, reality_changed_at: changedAt })
    .where('uuid', '=', uuid)
    .execute()
}

export const findOverlapsBegunBefore = async (db: Db, before: Date): Promise<string[]> =>
  (await db.selectFrom('servers').select('uuid').where('reality_changed_at', '<=', before).execute()).map(
    ({ uuid }) => uuid,
  )
