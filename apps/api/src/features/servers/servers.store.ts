import type { TunnelType, VpnType } from '@kelid/contract'
import type { Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ServerRow } from '../../db/schema.ts'
import { type HostPlaces, type HostQuery, listHosts, listTargets } from '../hosts/hosts.ts'

export type ServerRecord = Selectable<ServerRow>

interface OfType {
  vpn_type?: VpnType | undefined
  tunnel_type?: TunnelType | undefined
}

export function listServers(db: Db, { vpn_type, tunnel_type }: OfType, query: HostQuery) {
  let servers = db.selectFrom('servers').selectAll()
  if (vpn_type) servers = servers.where('vpn_type', '=', vpn_type)
  if (tunnel_type) servers = servers.where('tunnel_type', '=', tunnel_type)
  return listHosts(servers, query)
}

export const listMoveTargets = (
  db: Db,
  source: HostPlaces,
  query: { search?: string | undefined; limit: number },
) => listTargets(db.selectFrom('servers').selectAll(), source, query)

export const findServer = (db: Db, uuid: string): Promise<ServerRecord | undefined> =>
  db.selectFrom('servers').selectAll().where('uuid', '=', uuid).executeTakeFirst()
