import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Reality, Serving } from '../../db/schema.ts'

export async function noteServing(
  tx: Db,
  uuid: string,
  peersDigest: Buffer,
  serving: Serving,
  reality: Reality | null,
): Promise<void> {
  await tx
    .updateTable('servers')
    .set({
      told: peersDigest,
      serving: JSON.stringify(serving),
      set_by_hand: false,
      ...(reality && { reality: JSON.stringify(reality) }),
    })
    .where('uuid', '=', uuid)
    .execute()
}

export async function notePeers(tx: Db, uuid: string, peersDigest: Buffer, port: number): Promise<void> {
  await tx
    .updateTable('tunnels')
    .set({ told: peersDigest, served_port: port, set_by_hand: false })
    .where('uuid', '=', uuid)
    .execute()
}

/** IPv4 and IPv6. */
export async function addressesOfHosts(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ address: string }>`SELECT ipv4 AS address FROM servers
    UNION SELECT ipv4 FROM tunnels UNION SELECT ipv6 FROM tunnels
    UNION SELECT details ->> 'serverIPV6' FROM servers`.execute(db)
  return new Set(rows.map(({ address }) => address))
}
