import type { HostKind, TunnelType, VpnType } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Serving } from '../../db/schema.ts'
import { tlsNameOf } from './tls-name.ts'

export interface Exit extends Serving {
  uuid: string
  vpnType: VpnType
  relaySecrets: Buffer | null
}

/**
 * Servers behind tunnels of a type: those provisioned once, at their last provisioned address and in any state,
 * because their customers still connect there; and those set up by hand.
 */
export async function exitsOf(db: Db, tunnelType: TunnelType): Promise<Exit[]> {
  const rows = await db
    .selectFrom('servers')
    .leftJoin('host_keys', (join) =>
      join.onRef('host_keys.host_uuid', '=', 'servers.uuid').onRef('host_keys.address', '=', 'servers.ipv4'),
    )
    .select([
      'uuid',
      'vpn_type',
      'serving',
      'url',
      'details',
      'ipv4',
      'port',
      'ssh_port',
      'service',
      'host_keys.key',
      'relay_secrets',
    ])
    .where('tunnel_type', '=', tunnelType)
    .where((or) => or.or([or('serving', 'is not', null), or('state', '=', 'ready')]))
    .orderBy('uuid')
    .execute()
  return rows.map((row) => ({
    uuid: row.uuid,
    vpnType: row.vpn_type,
    relaySecrets: row.relay_secrets,
    ...(row.serving ?? {
      name: tlsNameOf({ url: row.url, sni: row.details.serverSNIAddress }),
      ipv4: row.ipv4,
      port: row.port,
      sshPort: row.ssh_port,
      hostKey: row.key ?? '',
      isOwnAuthority: false,
      service: row.service,
    }),
  }))
}

/** Tunnels of a type that were provisioned once, with the SSH keys that servers accept. */
export const entrancesOf = async (db: Db, tunnelType: TunnelType): Promise<{ uuid: string; key: string }[]> =>
  (
    await db
      .selectFrom('tunnels')
      .select(['uuid', 'relay_public_key'])
      .where('type', '=', tunnelType)
      .where('relay_public_key', 'is not', null)
      .where('told', 'is not', null)
      .orderBy('uuid')
      .execute()
  ).map(({ uuid, relay_public_key }) => ({ uuid, key: relay_public_key ?? '' }))

const ofType = {
  server: { table: 'servers', type: 'tunnel_type' },
  tunnel: { table: 'tunnels', type: 'type' },
} as const satisfies Record<HostKind, unknown>

/** Ready hosts that were provisioned with other peers, unless a failed run has to wait. Not those set up by hand. */
export async function outdatedHosts(
  db: Db,
  kind: HostKind,
  tunnelType: TunnelType,
  digest: Buffer,
  now: Date,
): Promise<string[]> {
  const { table, type } = ofType[kind]
  const { rows } = await sql<{ uuid: string }>`SELECT uuid FROM ${sql.table(table)}
    WHERE ${sql.ref(type)} = ${tunnelType} AND state = 'ready' AND told IS NOT NULL AND told <> ${digest}
      AND (upkeep_retry_at IS NULL OR upkeep_retry_at <= ${now}) ORDER BY uuid`.execute(db)
  return rows.map(({ uuid }) => uuid)
}

export const isATunnelOutdated = async (db: Db, tunnelType: TunnelType, digest: Buffer): Promise<boolean> =>
  (await db
    .selectFrom('tunnels')
    .select('uuid')
    .where('type', '=', tunnelType)
    .where('told', '!=', digest)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** A tunnel's port for each server; a new pair gets the lowest free port. The caller has locked the tunnel. */
export async function slotsOf(
  tx: Db,
  tunnelUuid: string,
  serverUuids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.selectFrom('relays').selectAll().where('tunnel_uuid', '=', tunnelUuid).execute()
  const slots = new Map(rows.map(({ server_uuid, slot }) => [server_uuid, slot]))
  const usedPorts = new Set(slots.values())
  for (const server_uuid of serverUuids) {
    if (slots.has(server_uuid)) continue
    let slot = 1
    while (usedPorts.has(slot)) slot += 1
    await tx.insertInto('relays').values({ tunnel_uuid: tunnelUuid, server_uuid, slot }).execute()
    slots.set(server_uuid, slot)
    usedPorts.add(slot)
  }
  return slots
}

/** SSH connections of a tunnel to a server; OpenSSH becomes slow with more than about 500 customers' connections each. */
const connections = { least: 4, most: 12 }
/** Assumed: five connections at a time for each account, over all accounts. */
const accountsEach = 100
/** The playbook has ports for further connections of these slots only. */
const lastGrowingSlot = 1_124

const needed = sql<number>`least(${connections.most}, greatest(${connections.least}, ceil(place.accounts / ${accountsEach}::numeric)))::int`
const places = sql`(SELECT tunnel_uuid, server_uuid, count(*) AS accounts FROM placements
  WHERE tunnel_uuid IS NOT NULL GROUP BY tunnel_uuid, server_uuid) place`

/** Never fewer than before. The caller has locked the tunnel. */
export async function connectionsOf(tx: Db, tunnelUuid: string): Promise<Map<string, number>> {
  await sql`UPDATE relays SET connections = ${needed} FROM ${places}
    WHERE relays.tunnel_uuid = ${tunnelUuid} AND place.tunnel_uuid = relays.tunnel_uuid
      AND place.server_uuid = relays.server_uuid AND slot <= ${lastGrowingSlot} AND connections < ${needed}`.execute(
    tx,
  )
  const rows = await tx
    .selectFrom('relays')
    .select(['server_uuid', 'connections'])
    .where('tunnel_uuid', '=', tunnelUuid)
    .execute()
  return new Map(rows.map((row) => [row.server_uuid, row.connections]))
}

/** Ready tunnels that need more connections to a server, unless a failed run has to wait. */
export async function busyTunnels(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`SELECT DISTINCT uuid FROM tunnels
    JOIN relays ON relays.tunnel_uuid = uuid
    JOIN ${places} ON place.tunnel_uuid = uuid AND place.server_uuid = relays.server_uuid
    WHERE type = 'ssh' AND state = 'ready' AND told IS NOT NULL AND (upkeep_retry_at IS NULL OR upkeep_retry_at <= ${now})
      AND slot <= ${lastGrowingSlot} AND connections < ${needed} ORDER BY uuid`.execute(db)
  return rows.map(({ uuid }) => uuid)
}

export async function keepRelaySecrets(db: Db, serverUuid: string, sealed: Buffer): Promise<Buffer> {
  const row = await db
    .updateTable('servers')
    .set((server) => ({ relay_secrets: server.fn.coalesce('relay_secrets', server.val(sealed)) }))
    .where('uuid', '=', serverUuid)
    .returning('relay_secrets')
    .executeTakeFirst()
  return row?.relay_secrets ?? sealed
}

export async function keepRelayKey(db: Db, tunnelUuid: string, sealed: Buffer, publicKey: string) {
  await db
    .updateTable('tunnels')
    .set({ relay_key: sealed, relay_public_key: publicKey })
    .where('uuid', '=', tunnelUuid)
    .where('relay_key', 'is', null)
    .execute()
  const row = await db
    .selectFrom('tunnels')
    .select(['relay_key', 'relay_public_key'])
    .where('uuid', '=', tunnelUuid)
    .executeTakeFirst()
  return { sealed: row?.relay_key ?? sealed, publicKey: row?.relay_public_key ?? publicKey }
}
