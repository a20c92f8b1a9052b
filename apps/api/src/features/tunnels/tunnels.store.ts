import type { Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { TunnelRow } from '../../db/schema.ts'

export type TunnelRecord = Selectable<TunnelRow>

export const listTunnels = (db: Db): Promise<TunnelRecord[]> =>
  db.selectFrom('tunnels').selectAll().orderBy('created_at', 'desc').orderBy('uuid').execute()

export const findTunnel = (db: Db, uuid: string): Promise<TunnelRecord | undefined> =>
  db.selectFrom('tunnels').selectAll().where('uuid', '=', uuid).executeTakeFirst()
