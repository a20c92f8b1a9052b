import type { Db } from '../../db/database.ts'
import type { Serving } from '../../db/schema.ts'

export async function noteServing(
  tx: Db,
  uuid: string,
  peersDigest: Buffer,
  serving: Serving,
): Promise<void> {
  await tx
    .updateTable('servers')
    .set({ told: peersDigest, serving: JSON.stringify(serving) })
    .where('uuid', '=', uuid)
    .execute()
}

export async function notePeers(tx: Db, uuid: string, peersDigest: Buffer): Promise<void> {
  await tx.updateTable('tunnels').set({ told: peersDigest }).where('uuid', '=', uuid).execute()
}
