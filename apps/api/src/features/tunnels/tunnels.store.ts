import type { TunnelType } from '@kelid/contract'
import type { Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { TunnelRow } from '../../db/schema.ts'
import { type HostPlaces, type HostQuery, listHosts, listTargets } from '../hosts/hosts.ts'

export type TunnelRecord = Selectable<TunnelRow>

export function listTunnels(db: Db, type: TunnelType | undefined, query: HostQuery) {
  const tunnels = db.selectFrom('tunnels').selectAll()
  return listHosts(type ? tunnels.where('type', '=', type) : tunnels, query)
}

export const listMoveTargets = (
  db: Db,
  source: HostPlaces,
  query: { search?: string | undefined; limit: number },
) => listTargets(db.selectFrom('tunnels').selectAll(), source, query)

export const findTunnel = (db: Db, uuid: string): Promise<TunnelRecord | undefined> =>
  db.selectFrom('tunnels').selectAll().where('uuid', '=', uuid).executeTakeFirst()
