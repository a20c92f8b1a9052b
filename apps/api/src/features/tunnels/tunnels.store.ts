import type { TunnelType } from '@kelid/contract'
import type { Db } from '../../db/database.ts'
import { type HostQuery, listHosts } from '../hosts/hosts.ts'

export function listTunnels(db: Db, type: TunnelType | undefined, query: HostQuery) {
  const tunnels = db.selectFrom('tunnels').selectAll()
  return listHosts(type ? tunnels.where('type', '=', type) : tunnels, query)
}
