import type { HostKind } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { inRoom, isOpen } from './host-list.store.ts'

interface RoomOfType {
  subject: HostKind
  type: string
  tunnelType: string
  hosts: number
  full: number
  nearlyFull: number
  capacity: number
  accounts: number
}

/** A host without places counts as full. */
export async function roomsByType(db: Db): Promise<RoomOfType[]> {
  const { rows } = await sql<RoomOfType>`
    SELECT subject, type, tunnel_type AS "tunnelType", count(*) FILTER (WHERE is_open) AS hosts,
           count(*) FILTER (WHERE is_open AND ${inRoom.full}) AS full,
           count(*) FILTER (WHERE is_open AND ${inRoom.nearlyFull}) AS "nearlyFull",
           coalesce(sum(max_accounts) FILTER (WHERE is_open), 0) AS capacity,
           coalesce(sum(accounts) FILTER (WHERE is_open), 0) AS accounts
    FROM (SELECT 'server' AS subject, vpn_type AS type, tunnel_type, ${isOpen} AS is_open,
                 accounts, max_accounts FROM servers
          UNION ALL SELECT 'tunnel', type, '', ${isOpen}, accounts, max_accounts FROM tunnels) hosts
    GROUP BY subject, type, tunnel_type ORDER BY subject, type, tunnel_type`.execute(db)
  return rows
}
