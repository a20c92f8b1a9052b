import type { TunnelType, VpnType } from '@kelid/contract'
import type { Db } from '../../db/database.ts'
import { type HostQuery, listHosts } from '../hosts/hosts.ts'

interface OfType {
  vpn_type?: VpnType | undefined
  tunnel_type?: TunnelType | '' | undefined
}

export function listServers(db: Db, { vpn_type, tunnel_type }: OfType, query: HostQuery) {
  let servers = db.selectFrom('servers').selectAll()
  if (vpn_type) servers = servers.where('vpn_type', '=', vpn_type)
  if (tunnel_type !== undefined) servers = servers.where('tunnel_type', '=', tunnel_type)
  return listHosts(servers, query)
}
