import type { TunnelType, VpnType } from '@kelid/contract'
import { sql } from 'kysely'
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

/** At most ten, which is enough for a warning. */
export async function namesWithTarget(db: Db, target: string, except = ''): Promise<string[]> {
  const rows = await db
    .selectFrom('servers')
    .select('name')
    .where(sql`details ->> 'serverRealityTarget'`, '=', target)
    .where(sql`uuid::text`, '!=', except)
    .orderBy('name')
    .limit(10)
    .execute()
  return rows.map(({ name }) => name)
}
