import type { Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ServerRow, Serving, TunnelRow } from '../../db/schema.ts'

export type ServerRecord = Selectable<ServerRow>
export type TunnelRecord = Selectable<TunnelRow>

export const findServer = (db: Db, uuid: string): Promise<ServerRecord | undefined> =>
  db.selectFrom('servers').selectAll().where('uuid', '=', uuid).executeTakeFirst()

export const findTunnel = (db: Db, uuid: string): Promise<TunnelRecord | undefined> =>
  db.selectFrom('tunnels').selectAll().where('uuid', '=', uuid).executeTakeFirst()

/** What the host was set up with. */
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
