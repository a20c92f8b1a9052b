import type { Db } from '../../db/database.ts'
import type { Serving } from '../../db/schema.ts'

export async function noteServing(tx: Db, uuid: string, told: Buffer, serving: Serving): Promise<void> {
  await tx
    .updateTable('servers')
    .set({ told, serving: JSON.stringify(serving) })
    .where('uuid', '=', uuid)
    .execute()
}

export async function noteTold(tx: Db, uuid: string, told: Buffer): Promise<void> {
  await tx.updateTable('tunnels').set({ told }).where('uuid', '=', uuid).execute()
}
